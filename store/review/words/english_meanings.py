"""English words that mean the same, and words that mean the opposite; the format is that of
english.py."""

SYNONYMS = """
delete remove wipe purge erase drop clear get_rid_of throw_away
fail break crash fall_over go_down
fix repair resolve mend
big large huge
small little tiny
fast quick rapid
short brief concise terse
simple plain easy
pick choose select opt_for go_with settle_on decide_on
show display present
hide conceal
make create set_up generate build
change modify alter edit
begin start commence kick_off
end finish stop expire run_out
shut_down switch_off retire decommission go_away phase_out sunset
need require depend_on rely_on be_dependent_on
keep retain hold store save stay remain preserve persist
want wish would_like ask_for
prefer like favour favor
live reside sit be_located be_found
write author compose
read consume
render produce
send deliver dispatch
fetch retrieve load pull
get receive obtain
check verify validate
approve sign_off green_light
refuse reject decline turn_down
review look_over
handle manage look_after take_care_of maintain be_in_charge_of be_responsible_for own
run execute
deploy ship release roll_out
deployment deploy release rollout
call invoke
log_in sign_in login signin logon
log_out sign_out logout signout
customer client
user end_user
answer reply respond response
error failure fault
bug defect
problem issue trouble
reason cause
immediately right_away at_once straight_away instantly promptly
automatically by_itself on_its_own by_themselves
temporary temp tmp
average mean
example sample
person people someone
meet gather
discuss talk_about
ask talk_to speak_to contact
tell inform notify let_know
alert alarm warn
documentation docs doc
guide manual handbook
config configuration conf
settings setting preferences
environment env
development dev
developer dev engineer
engineering eng
production prod
repository repo
database db
kubernetes k8s kube
postgres postgresql pg
javascript js
typescript ts
python py
application app
authentication auth authn
authorization authz
administrator admin
information info
specification spec
directory dir folder
function func fn
parameter param
variable var
environment_variable env_var
argument arg
command cmd
message msg
request req
response resp
pull_request pr merge_request mr
frontend fe front_end
backend be back_end
maximum max maximal
minimum min minimal
number no. num count
account acct
address addr
approximate approx
average avg
button btn
certificate cert
infrastructure infra
library lib
image img
integration int
management mgmt
organization organisation org
package pkg
password pwd passwd
performance perf
reference ref
statistics stats
synchronization sync synchronisation
synchronize sync synchronise
technology tech
version ver
week wk
standup stand_up daily_standup
email e_mail mail
website site web_site
wifi wi_fi
colour color
centre center
grey gray
licence license
behaviour behavior
harbour harbor
organise organize
normalise normalize
catalogue catalog
cancelled canceled
vacation holiday leave
parental_leave maternity_leave paternity_leave
away out_of_office absent
offline disconnected
indentation indent
identical equal
identifier id
duplicate copy
mandatory compulsory obligatory
optional voluntary
happen occur take_place be_held
contain include hold
explain describe
use utilize utilise employ
enough sufficient
wrong incorrect
right correct
let allow permit
limit cap restrict
restriction limit
increase raise rise grow go_up
decrease reduce lower shrink go_down fall drop
split divide
join combine
merge integrate
slow sluggish
expensive costly
cheap inexpensive
important crucial essential vital
hard difficult
entire whole
previous former prior earlier
new fresh
old legacy former
nightly every_night each_night
understand understandable comprehensible
forward redirect
replace swap substitute
move migrate
assemble build
kill terminate
photo picture image
secret credential
latency delay
timeout time_limit
give_up abandon drop
nobody no_one
somebody someone
everybody everyone
overload too_much_load
available accessible
visible shown
necessary needed required
forbid prohibit disallow ban
"""

ANTONYMS = """
on / off
in / out
up / down
enable activate turn_on switch_on allow / disable deactivate turn_off switch_off forbid
open / close shut
start begin / stop end finish
increase raise grow rise / decrease reduce lower shrink fall drop
ascending / descending
fast quick faster fastest / slow slower slowest sluggish
dark / light bright
allow permit accept let / forbid prohibit deny refuse reject disallow ban block
accept approve / reject decline refuse deny
approve / veto
internal / external
inside / outside
public / private
synchronous sync / asynchronous async
maximum max highest most / minimum min lowest least
more / less fewer
high higher / low lower
pass succeed work / fail break
success / failure
full / empty
compatible / incompatible
cheap cheaper inexpensive / expensive costly dearer
add include insert append / remove delete drop exclude omit
create / delete destroy
upload / download
import / export
push / pull
send / receive
read / write
encrypt / decrypt
compress / decompress
encode / decode
lock / unlock
mount / unmount
install / uninstall
log_in sign_in login signin / log_out sign_out logout signout
subscribe / unsubscribe
show display reveal / hide conceal
visible / invisible hidden
required mandatory compulsory / optional voluntary
necessary / unnecessary
first / last
before / after
early earlier / late later
old older oldest / new newer newest
big large bigger larger / small little smaller tiny
long longer / short shorter
wide / narrow
deep / shallow
hot warm / cold cool
manual manually by_hand / automatic automatically
static / dynamic
local / remote
online / offline
active / inactive
safe secure / unsafe dangerous insecure
stable / unstable flaky
strict / lenient loose
simple easy / complex complicated hard difficult
horizontal horizontally / vertical vertically
left / right
top / bottom
front / back
upper / lower
above over / below under
primary / secondary replica
master / slave replica
leader / follower
client / server
frontend / backend
producer / consumer
sender / receiver
parent / child
input / output
incoming inbound ingress / outgoing outbound egress
request / response
source / target destination
upstream / downstream
positive / negative
true / false
yes / no
good better best / bad worse worst
right correct / wrong incorrect
love like prefer want / hate dislike avoid
always / never
all every / none
everybody everyone / nobody
single / multiple
singular / plural
same / different
equal / unequal
relative / absolute
serial sequential sequentially / parallel concurrent concurrently
eager eagerly / lazy lazily
mutable / immutable
signed / unsigned
sorted / unsorted
keep retain preserve / discard delete
join / leave
enter / exit leave
win / lose
gain / loss
buy / sell
hire / fire
morning / evening
day / night
summer / winter
weekday / weekend
north / south
east / west
clockwise / counterclockwise anticlockwise
upgrade / downgrade
scale_up scale_out / scale_down scale_in
expand / collapse
increment / decrement
light_mode / dark_mode
opt_in / opt_out
whitelist allowlist / blacklist denylist
blocking / non_blocking
verbose / quiet terse
hard / soft
opaque / transparent
inclusive / exclusive
prefix / suffix
head / tail
even / odd
"""

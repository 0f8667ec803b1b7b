"""English words the comparison knows. A line is one group; `_` joins the words of a phrase.

Only words that a team's notes use for the same thing stand together. A word left out costs a
merge that is not proposed; a wrong one would propose to merge two claims, so doubt leaves it out.
"""

from store.review.words.english_meanings import ANTONYMS as ANTONYMS
from store.review.words.english_meanings import SYNONYMS as SYNONYMS

PRODUCTS = """
python node nodejs postgres postgresql redis react kubernetes terraform go golang java rust ruby
debian ubuntu alpine android ios macos windows php perl django flask rails angular vue svelte
mysql mariadb mongodb kafka nginx envoy elasticsearch openapi graphql typescript swift kotlin
scala spark airflow ansible docker helm grafana prometheus vault nomad consul etcd tls ssl
release version protocol sdk jdk npm pnpm yarn webpack vite bun deno textual numpy pandas
"""

NEGATIONS = """
not no never none nor neither nothing nobody no_one nowhere without cannot no_longer not_any_longer
not_any_more not_yet avoid refrain
forbid prohibit disallow ban
"""

QUANTIFIERS = {
    "all": "all every each always everybody everyone everything any entire whole everywhere "
    "at_all_times without_exception",
    "some": "some several somebody someone certain various a_number_of",
    "few": "few a_few a_handful_of",
    "many": "many lots_of a_lot_of plenty_of",
    "most": "most majority the_majority_of almost_all nearly_all",
    "both": "both",
    "half": "half",
    "only": "only just solely exclusively nothing_but nobody_except no_one_except no_one_but "
    "nobody_but",
    "at least": "at_least no_fewer_than no_less_than not_less_than",
    "at most": "at_most no_more_than not_more_than up_to",
    "more": "more_than greater_than exceeding",
    "fewer": "fewer_than less_than smaller_than",
    "sometimes": "sometimes occasionally now_and_then at_times from_time_to_time",
    "often": "often frequently regularly",
    "usually": "usually normally typically generally mostly as_a_rule",
    "rarely": "rarely seldom hardly_ever hardly",
    "exactly": "exactly precisely",
    "formerly": "used_to formerly previously in_the_past",
    "almost": "almost nearly",
}

MODALS = {
    "must": "must should shall ought have_to has_to had_to need_to needs_to is_to are_to "
    "supposed_to",
    "may": "may might can could be_allowed_to allowed_to is_allowed are_allowed allowed permitted "
    "able_to be_able_to",
}

MARKS = {
    "from": "from out_of away_from",
    "to": "to into onto toward towards",
    "before": "before prior_to ahead_of",
    "after": "after following once as_soon_as",
    "until": "until till",
    "since": "since",
    "by": "by",
    "than": "than",
    "instead": "instead_of rather_than in_place_of",
    "over": "over above",
    "under": "under below beneath",
    "if": "if when whenever in_case provided_that as_long_as",
    "because": "because due_to because_of owing_to thanks_to",
    "unless": "unless",
    "except": "except except_for apart_from other_than aside_from",
    "against": "against",
    "although": "although though despite even_though",
    "of": "of",
    "for": "for",
    "in": "in on at with via using within as about through across inside during behind between "
    "per among alongside upon around near along where while which who whose so_that so "
    "in_order_to",
}

CLAUSAL = "if because unless although after before since until"

HEADINGS = "note reminder important info hint tip fact decision memo"
"""Words before a colon that announce a text and say nothing of it."""

CONJUNCTIONS = "and or but plus then yet"

AUXILIARIES = """
am is are was were be been being has have had do does did will would gets got get getting
"""

DETERMINERS = "the a an our your their its his her my this these that those"

PRONOUNS = "we you i they he she it us me him them one himself herself itself themselves"

LIGHT = """
please kindly thanks thank thank_you fyi btw note_to_self just_so_you_know keep_in_mind
make_sure be_sure_to for_the_record as_a_reminder i_would_appreciate_it_if would_appreciate
it_would_be_nice_if it_would_be_great_if could_you would_you can_you do_not_forget_to
dont_forget_to remember_to remember note_that we_need_to heads_up as_you_know by_the_way
it_is_important_that it_is_important_to it_is_important important_to_know in_advance also
too already currently now still really very quite simply actually basically there here
about around roughly approximately ca circa well such as_well as_usual of_course that_is
how what it_was in_general
"""

WEAK = """
use happen take_place be_held held live reside sit locate situated exist find occur
"""

PARTICIPLES = """
built bought brought caught chosen cut done drawn driven eaten fed felt found forgotten forbidden
given gone grown held hidden hit kept known laid led left let lost made meant met paid put read
rebuilt reset run rewritten rerun said seen sent set shown shut sold spent split stolen sung taken
taught thought thrown told understood undone woken won worn written overridden broken spoken bound
"""

IRREGULAR = """
be am is are was were been
begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
draw drew drawn
drive drove driven
eat ate eaten
fall fell fallen
feel felt
find found
forbid forbade forbidden
forget forgot forgotten
get got gotten
give gave given
go went gone
grow grew grown
hold held
keep kept
know knew known
lead led
lose lost
make made
mean meant
meet met
pay paid
rebuild rebuilt
rewrite rewrote rewritten
ring rang rung
rise rose risen
run ran
say said
see saw seen
sell sold
send sent
show shown
speak spoke spoken
spend spent
stand stood
take took taken
teach taught
tell told
think thought
throw threw thrown
understand understood
wake woke woken
win won
write wrote written
override overrode overridden
freeze froze frozen
hide hid hidden
steal stole stolen
"""

COLOURS = """
red orange yellow green blue purple violet pink brown black white grey gray cyan magenta teal navy
navy_blue crimson scarlet amber gold golden silver beige turquoise indigo maroon olive lime
lavender salmon coral ivory khaki dark_blue light_blue dark_green light_green sky_blue
"""

COLOUR_NAMES = {"navy": "navy_blue", "gray": "grey", "golden": "gold"}

NUMBERS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}

SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}

REPEATS = {"once": 1, "twice": 2, "thrice": 3}

MONTHS = """
january jan
february feb
march mar
april apr
may
june jun
july jul
august aug
september sep sept
october oct
november nov
december dec
"""

WEEKDAYS = """
monday mon
tuesday tue tues
wednesday wed
thursday thu thur thurs
friday fri
saturday sat
sunday sun
"""

MOMENTS = """
today
tomorrow
yesterday
tonight
last_night
next_week
last_week
this_week
next_month
last_month
this_month
next_year
last_year
this_year
next_quarter
last_quarter
end_of_month end_of_the_month month_end
end_of_year end_of_the_year year_end
noon midday
midnight
spring
summer
autumn fall
winter
weekday weekdays working_days
weekend weekends
morning mornings
afternoon
evening
night
"""

PERIODS = {
    "hourly": "hour",
    "daily": "day",
    "nightly": "night",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
}

PER = "per a an each every"

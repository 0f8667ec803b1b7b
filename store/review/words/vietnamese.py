"""Vietnamese words the comparison knows; the format is that of english.py.

Syllables are written apart, so most words are phrases here. Tone marks may stand on either
vowel (xoá, xóa): the keys of both are the same.
"""

SYNONYMS = """
cơ_sở_dữ_liệu csdl database db
dùng sử_dụng
xóa xóa_bỏ loại_bỏ gỡ_bỏ
sửa chỉnh_sửa thay_đổi
sửa_lỗi khắc_phục vá
tạo tạo_ra sinh_ra
gửi chuyển
lưu lưu_trữ lưu_giữ
giữ giữ_lại
đặt để
nằm nằm_ở được_đặt
thích ưa_thích muốn ưu_tiên chuộng
phụ_trách chịu_trách_nhiệm quản_lý
kiểm_thử test kiểm_tra
kiểm_tra check xác_minh
gộp hợp_nhất merge trộn
nhánh branch
triển_khai deploy phát_hành
phát_hành release
môi_trường environment env
máy_chủ server
ứng_dụng app application
di_động mobile
trang_quản_trị trang_admin
quản_trị admin
quản_trị_viên admin
người_dùng user
khách_hàng khách
mật_khẩu password
cấu_hình config configuration
thư_mục folder directory
tệp file tập_tin
tài_liệu docs documentation
mã code mã_nguồn
lỗi bug sự_cố
yêu_cầu request
phản_hồi response trả_lời
thời_gian_chờ timeout
giới_hạn limit hạn_mức
tối_đa max
tối_thiểu min
bộ_nhớ_đệm cache
ổ_đĩa đĩa
bản_sao_lưu backup
sao_lưu backup
phiên_bản version
khóa_api api_key
khóa key
thông_báo notification
tin_nhắn message
cuộc_họp họp buổi_họp
duyệt phê_duyệt review
ngắn ngắn_gọn
nhanh mau
chậm lâu
lớn to
nhỏ bé
bắt_đầu khởi_động
kết_thúc dừng
hết_hạn quá_hạn
xảy_ra diễn_ra
cần cần_có cần_phải yêu_cầu
ghi viết
hiển_thị hiện
tự_động auto
nhật_ký log
hóa_đơn invoice
thanh_toán payment
pull_request pr merge_request mr
"""

ANTONYMS = """
bật kích_hoạt mở / tắt vô_hiệu_hóa đóng
tăng tăng_dần / giảm giảm_dần
nhanh / chậm
sáng / tối
cho_phép / cấm
thêm / xóa bớt bỏ
bắt_đầu / kết_thúc dừng
nội_bộ / bên_ngoài
trong / ngoài
công_khai / riêng_tư
đồng_bộ / bất_đồng_bộ
tối_đa / tối_thiểu
nhiều / ít
cao / thấp
lớn to / nhỏ bé
dài / ngắn
mới / cũ
đầy / trống rỗng
rẻ / đắt
thành_công đạt / thất_bại lỗi
tải_lên / tải_xuống
nhập / xuất
gửi / nhận
đăng_nhập / đăng_xuất
hiện hiển_thị / ẩn
bắt_buộc / tùy_chọn
đầu_tiên / cuối_cùng
trước / sau
sớm / muộn
thủ_công / tự_động
đúng / sai
có / không
luôn luôn_luôn / không_bao_giờ
thích / ghét
trái / phải
trên / dưới
an_toàn / nguy_hiểm
"""

NEGATIONS = """
không không_được không_phải không_còn không_có chưa chưa_được đừng đừng_có chẳng chớ cấm tránh
không_bao_giờ khỏi
"""

QUANTIFIERS = {
    "all": "tất_cả mọi toàn_bộ mỗi từng luôn luôn_luôn bất_kỳ hằng hàng cả",
    "some": "một_số vài một_vài",
    "many": "nhiều",
    "few": "ít",
    "most": "hầu_hết đa_số phần_lớn",
    "both": "cả_hai",
    "half": "một_nửa nửa",
    "only": "chỉ duy_nhất chỉ_có",
    "at least": "ít_nhất trở_lên",
    "at most": "nhiều_nhất trở_xuống không_quá",
    "more": "hơn_cả trên_mức",
    "sometimes": "thỉnh_thoảng đôi_khi có_khi",
    "often": "thường_xuyên hay",
    "usually": "thường thông_thường",
    "rarely": "hiếm_khi ít_khi",
    "almost": "gần_như",
}

MODALS = {
    "must": "phải nên bắt_buộc_phải",
    "may": "có_thể được_phép được_quyền",
}

MARKS = {
    "from": "từ",
    "to": "sang đến tới thành",
    "before": "trước trước_khi",
    "after": "sau sau_khi",
    "if": "nếu khi",
    "because": "vì do bởi_vì",
    "than": "hơn",
    "instead": "thay_vì thay_cho",
    "by": "bởi",
    "except": "trừ ngoại_trừ",
    "unless": "trừ_khi",
    "in": "trong trên tại ở của cho bằng với lúc vào theo về để như qua dưới ngoài giữa lên",
}

CLAUSAL = "if because unless before after"

CONJUNCTIONS = "và hoặc hay nhưng rồi"

AUXILIARIES = "là thì đang đã sẽ vừa mới bị được do"

PASSIVES = "được bị do"

LIGHT = """
vui_lòng hãy nhớ nhé ạ xin làm_ơn cũng đều thôi này đó kia cuộc việc sự các những cái con chiếc
anh chị ông bà em bạn cảm_ơn lưu_ý ghi_nhớ lại ra khoảng tầm người_ta nó chúng_ta chúng_tôi mà ấy
người là_người màu nhỉ nha luôn_nhé
"""

WEAK = "dùng sử_dụng có nằm xảy_ra diễn_ra"

COLOURS = """
đỏ xanh xanh_lá xanh_lá_cây xanh_dương xanh_da_trời xanh_lam vàng xám đen trắng cam hồng tím nâu
"""

COLOUR_NAMES = {"xanh_lá_cây": "xanh_lá", "xanh_lam": "xanh_dương"}

NUMBERS = {
    "một": 1,
    "hai": 2,
    "ba": 3,
    "bốn": 4,
    "tư": 4,
    "năm": 5,
    "sáu": 6,
    "bảy": 7,
    "bẩy": 7,
    "tám": 8,
    "chín": 9,
    "mười": 10,
}

TENS = {"mươi": 10, "trăm": 100, "nghìn": 1000, "ngàn": 1000, "triệu": 10**6, "tỷ": 10**9}

ENDINGS = {"mốt": 1, "lăm": 5, "rưỡi": 0}

WEEKDAYS = "hai ba tư năm sáu bảy"

MOMENTS = """
hôm_nay
ngày_mai
hôm_qua
tuần_trước
tuần_sau tuần_tới
tháng_trước
tháng_sau tháng_tới
năm_ngoái
năm_sau năm_tới
đầu_tháng
cuối_tháng
cuối_tuần
chủ_nhật
buổi_sáng
buổi_chiều
buổi_tối
"""

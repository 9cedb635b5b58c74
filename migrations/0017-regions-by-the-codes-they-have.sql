-- Provinces and cities were written with the six digits of the state (330000, 330100), which no region here has: 33 and 3301 are theirs.
update "basic_shop_info" set province = left(province, 2) where province ~ '^\d{2}0000$';
update "basic_shop_info" set city = left(city, 4) where city ~ '^\d{4}00$';
update "basic_shop_info" set district = regexp_replace(district, '(00){1,2}$', '') where district ~ '^\d{4}00$';
update "join_us" set province = left(province, 2) where province ~ '^\d{2}0000$';
update "join_us" set city = left(city, 4) where city ~ '^\d{4}00$';
update "join_us" set district = regexp_replace(district, '(00){1,2}$', '') where district ~ '^\d{4}00$';
update "delivery_address" set province = regexp_replace(province, '(00){1,2}$', '') where province ~ '^\d{4}00$';
update "delivery_address" set city = regexp_replace(city, '(00){1,2}$', '') where city ~ '^\d{4}00$';
update "delivery_address" set district = regexp_replace(district, '(00){1,2}$', '') where district ~ '^\d{4}00$';
update "supplier_info" set district = regexp_replace(district, '(00){1,2}$', '') where district ~ '^\d{4}00$';
update "pay_apply" set store_region = regexp_replace(store_region, '(00){1,2}$', '') where store_region ~ '^\d{4}00$';
update "pay_apply" set bank_region = regexp_replace(bank_region, '(00){1,2}$', '') where bank_region ~ '^\d{4}00$';

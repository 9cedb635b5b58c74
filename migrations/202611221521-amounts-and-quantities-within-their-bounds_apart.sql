-- apart: each statement in no transaction
do $$ begin
  alter table "advertising" drop constraint if exists "advertising_seconds_range", add constraint "advertising_seconds_range" check ("seconds" >= 3 and "seconds" <= 600);
  exception when check_violation then
    raise warning 'rows of advertising break the rule "seconds" >= 3 and "seconds" <= 600: it is left out';
  end $$;
do $$ begin
  alter table "advertising" drop constraint if exists "advertising_sort_range", add constraint "advertising_sort_range" check ("sort" >= 0);
  exception when check_violation then
    raise warning 'rows of advertising break the rule "sort" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "annual_fee_conf" drop constraint if exists "annual_fee_conf_fee_range", add constraint "annual_fee_conf_fee_range" check ("fee" >= 0 and "fee" <= 10000000);
  exception when check_violation then
    raise warning 'rows of annual_fee_conf break the rule "fee" >= 0 and "fee" <= 10000000: it is left out';
  end $$;
do $$ begin
  alter table "annual_fee_conf" drop constraint if exists "annual_fee_conf_months_range", add constraint "annual_fee_conf_months_range" check ("months" >= 1 and "months" <= 120);
  exception when check_violation then
    raise warning 'rows of annual_fee_conf break the rule "months" >= 1 and "months" <= 120: it is left out';
  end $$;
do $$ begin
  alter table "annual_fee_conf" drop constraint if exists "annual_fee_conf_sort_range", add constraint "annual_fee_conf_sort_range" check ("sort" >= 0);
  exception when check_violation then
    raise warning 'rows of annual_fee_conf break the rule "sort" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "attach" drop constraint if exists "attach_attach_size_range", add constraint "attach_attach_size_range" check ("attach_size" >= 0);
  exception when check_violation then
    raise warning 'rows of attach break the rule "attach_size" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "audio_conf" drop constraint if exists "audio_conf_speed_range", add constraint "audio_conf_speed_range" check ("speed" >= 0.5 and "speed" <= 2);
  exception when check_violation then
    raise warning 'rows of audio_conf break the rule "speed" >= 0.5 and "speed" <= 2: it is left out';
  end $$;
do $$ begin
  alter table "audio_conf" drop constraint if exists "audio_conf_volume_range", add constraint "audio_conf_volume_range" check ("volume" >= 0 and "volume" <= 100);
  exception when check_violation then
    raise warning 'rows of audio_conf break the rule "volume" >= 0 and "volume" <= 100: it is left out';
  end $$;
do $$ begin
  alter table "banner_conf" drop constraint if exists "banner_conf_sort_range", add constraint "banner_conf_sort_range" check ("sort" >= 0);
  exception when check_violation then
    raise warning 'rows of banner_conf break the rule "sort" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "barcodes" drop constraint if exists "barcodes_suggest_price_range", add constraint "barcodes_suggest_price_range" check ("suggest_price" >= 0 and "suggest_price" <= 99999999);
  exception when check_violation then
    raise warning 'rows of barcodes break the rule "suggest_price" >= 0 and "suggest_price" <= 99999999: it is left out';
  end $$;
do $$ begin
  alter table "basic_shop_info" drop constraint if exists "basic_shop_info_longitude_range", add constraint "basic_shop_info_longitude_range" check ("longitude" >= -180 and "longitude" <= 180);
  exception when check_violation then
    raise warning 'rows of basic_shop_info break the rule "longitude" >= -180 and "longitude" <= 180: it is left out';
  end $$;
do $$ begin
  alter table "basic_shop_info" drop constraint if exists "basic_shop_info_latitude_range", add constraint "basic_shop_info_latitude_range" check ("latitude" >= -90 and "latitude" <= 90);
  exception when check_violation then
    raise warning 'rows of basic_shop_info break the rule "latitude" >= -90 and "latitude" <= 90: it is left out';
  end $$;
do $$ begin
  alter table "basic_shop_info" drop constraint if exists "basic_shop_info_area_range", add constraint "basic_shop_info_area_range" check ("area" >= 0 and "area" <= 100000);
  exception when check_violation then
    raise warning 'rows of basic_shop_info break the rule "area" >= 0 and "area" <= 100000: it is left out';
  end $$;
do $$ begin
  alter table "cash_register_client_version" drop constraint if exists "cash_register_client_version_version_code_range", add constraint "cash_register_client_version_version_code_range" check ("version_code" >= 1 and "version_code" <= 2000000000);
  exception when check_violation then
    raise warning 'rows of cash_register_client_version break the rule "version_code" >= 1 and "version_code" <= 2000000000: it is left out';
  end $$;
do $$ begin
  alter table "cash_register_client_version" drop constraint if exists "cash_register_client_version_size_range", add constraint "cash_register_client_version_size_range" check ("size" >= 1 and "size" <= 2000000000);
  exception when check_violation then
    raise warning 'rows of cash_register_client_version break the rule "size" >= 1 and "size" <= 2000000000: it is left out';
  end $$;
do $$ begin
  alter table "cash_register_client_version" drop constraint if exists "cash_register_client_version_rollout_range", add constraint "cash_register_client_version_rollout_range" check ("rollout" >= 0 and "rollout" <= 100);
  exception when check_violation then
    raise warning 'rows of cash_register_client_version break the rule "rollout" >= 0 and "rollout" <= 100: it is left out';
  end $$;
do $$ begin
  alter table "cash_register_pic" drop constraint if exists "cash_register_pic_sort_range", add constraint "cash_register_pic_sort_range" check ("sort" >= 0 and "sort" <= 9999);
  exception when check_violation then
    raise warning 'rows of cash_register_pic break the rule "sort" >= 0 and "sort" <= 9999: it is left out';
  end $$;
do $$ begin
  alter table "client_version" drop constraint if exists "client_version_version_code_range", add constraint "client_version_version_code_range" check ("version_code" >= 1 and "version_code" <= 2000000000);
  exception when check_violation then
    raise warning 'rows of client_version break the rule "version_code" >= 1 and "version_code" <= 2000000000: it is left out';
  end $$;
do $$ begin
  alter table "client_version" drop constraint if exists "client_version_size_range", add constraint "client_version_size_range" check ("size" >= 1 and "size" <= 2000000000);
  exception when check_violation then
    raise warning 'rows of client_version break the rule "size" >= 1 and "size" <= 2000000000: it is left out';
  end $$;
do $$ begin
  alter table "client_version" drop constraint if exists "client_version_rollout_range", add constraint "client_version_rollout_range" check ("rollout" >= 0 and "rollout" <= 100);
  exception when check_violation then
    raise warning 'rows of client_version break the rule "rollout" >= 0 and "rollout" <= 100: it is left out';
  end $$;
do $$ begin
  alter table "dept" drop constraint if exists "dept_sort_range", add constraint "dept_sort_range" check ("sort" >= 0 and "sort" <= 1000000);
  exception when check_violation then
    raise warning 'rows of dept break the rule "sort" >= 0 and "sort" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "dict" drop constraint if exists "dict_sort_range", add constraint "dict_sort_range" check ("sort" >= 0 and "sort" <= 1000000);
  exception when check_violation then
    raise warning 'rows of dict break the rule "sort" >= 0 and "sort" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "dict_biz" drop constraint if exists "dict_biz_sort_range", add constraint "dict_biz_sort_range" check ("sort" >= 0 and "sort" <= 1000000);
  exception when check_violation then
    raise warning 'rows of dict_biz break the rule "sort" >= 0 and "sort" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "discount_conf" drop constraint if exists "discount_conf_priority_range", add constraint "discount_conf_priority_range" check ("priority" >= 0 and "priority" <= 999);
  exception when check_violation then
    raise warning 'rows of discount_conf break the rule "priority" >= 0 and "priority" <= 999: it is left out';
  end $$;
do $$ begin
  alter table "discount_conf" drop constraint if exists "discount_conf_budget_range", add constraint "discount_conf_budget_range" check ("budget" >= 1 and "budget" <= 99999999);
  exception when check_violation then
    raise warning 'rows of discount_conf break the rule "budget" >= 1 and "budget" <= 99999999: it is left out';
  end $$;
do $$ begin
  alter table "discount_conf" drop constraint if exists "discount_conf_per_user_range", add constraint "discount_conf_per_user_range" check ("per_user" >= 0 and "per_user" <= 999);
  exception when check_violation then
    raise warning 'rows of discount_conf break the rule "per_user" >= 0 and "per_user" <= 999: it is left out';
  end $$;
do $$ begin
  alter table "discount_ticket" drop constraint if exists "discount_ticket_amount_range", add constraint "discount_ticket_amount_range" check ("amount" >= 1 and "amount" <= 9999999);
  exception when check_violation then
    raise warning 'rows of discount_ticket break the rule "amount" >= 1 and "amount" <= 9999999: it is left out';
  end $$;
do $$ begin
  alter table "discount_ticket" drop constraint if exists "discount_ticket_rate_range", add constraint "discount_ticket_rate_range" check ("rate" >= 1 and "rate" <= 99);
  exception when check_violation then
    raise warning 'rows of discount_ticket break the rule "rate" >= 1 and "rate" <= 99: it is left out';
  end $$;
do $$ begin
  alter table "discount_ticket" drop constraint if exists "discount_ticket_cap_range", add constraint "discount_ticket_cap_range" check ("cap" >= 0 and "cap" <= 9999999);
  exception when check_violation then
    raise warning 'rows of discount_ticket break the rule "cap" >= 0 and "cap" <= 9999999: it is left out';
  end $$;
do $$ begin
  alter table "discount_ticket" drop constraint if exists "discount_ticket_threshold_range", add constraint "discount_ticket_threshold_range" check ("threshold" >= 0 and "threshold" <= 9999999);
  exception when check_violation then
    raise warning 'rows of discount_ticket break the rule "threshold" >= 0 and "threshold" <= 9999999: it is left out';
  end $$;
do $$ begin
  alter table "discount_ticket" drop constraint if exists "discount_ticket_valid_days_range", add constraint "discount_ticket_valid_days_range" check ("valid_days" >= 1 and "valid_days" <= 3650);
  exception when check_violation then
    raise warning 'rows of discount_ticket break the rule "valid_days" >= 1 and "valid_days" <= 3650: it is left out';
  end $$;
do $$ begin
  alter table "discount_ticket" drop constraint if exists "discount_ticket_total_range", add constraint "discount_ticket_total_range" check ("total" >= 0 and "total" <= 10000000);
  exception when check_violation then
    raise warning 'rows of discount_ticket break the rule "total" >= 0 and "total" <= 10000000: it is left out';
  end $$;
do $$ begin
  alter table "discount_ticket" drop constraint if exists "discount_ticket_per_user_range", add constraint "discount_ticket_per_user_range" check ("per_user" >= 0 and "per_user" <= 999);
  exception when check_violation then
    raise warning 'rows of discount_ticket break the rule "per_user" >= 0 and "per_user" <= 999: it is left out';
  end $$;
do $$ begin
  alter table "ele_good_type" drop constraint if exists "ele_good_type_rank_range", add constraint "ele_good_type_rank_range" check ("rank" >= 1 and "rank" <= 100000);
  exception when check_violation then
    raise warning 'rows of ele_good_type break the rule "rank" >= 1 and "rank" <= 100000: it is left out';
  end $$;
do $$ begin
  alter table "ele_shop_info" drop constraint if exists "ele_shop_info_longitude_range", add constraint "ele_shop_info_longitude_range" check ("longitude" >= -180 and "longitude" <= 180);
  exception when check_violation then
    raise warning 'rows of ele_shop_info break the rule "longitude" >= -180 and "longitude" <= 180: it is left out';
  end $$;
do $$ begin
  alter table "ele_shop_info" drop constraint if exists "ele_shop_info_latitude_range", add constraint "ele_shop_info_latitude_range" check ("latitude" >= -90 and "latitude" <= 90);
  exception when check_violation then
    raise warning 'rows of ele_shop_info break the rule "latitude" >= -90 and "latitude" <= 90: it is left out';
  end $$;
do $$ begin
  alter table "ele_shop_info" drop constraint if exists "ele_shop_info_package_fee_range", add constraint "ele_shop_info_package_fee_range" check ("package_fee" >= 0 and "package_fee" <= 9900);
  exception when check_violation then
    raise warning 'rows of ele_shop_info break the rule "package_fee" >= 0 and "package_fee" <= 9900: it is left out';
  end $$;
do $$ begin
  alter table "ele_shop_info" drop constraint if exists "ele_shop_info_min_order_price_range", add constraint "ele_shop_info_min_order_price_range" check ("min_order_price" >= 0 and "min_order_price" <= 99900);
  exception when check_violation then
    raise warning 'rows of ele_shop_info break the rule "min_order_price" >= 0 and "min_order_price" <= 99900: it is left out';
  end $$;
do $$ begin
  alter table "ele_sku_info" drop constraint if exists "ele_sku_info_sale_price_range", add constraint "ele_sku_info_sale_price_range" check ("sale_price" >= 1 and "sale_price" <= 99999900);
  exception when check_violation then
    raise warning 'rows of ele_sku_info break the rule "sale_price" >= 1 and "sale_price" <= 99999900: it is left out';
  end $$;
do $$ begin
  alter table "ele_sku_info" drop constraint if exists "ele_sku_info_stock_range", add constraint "ele_sku_info_stock_range" check ("stock" >= 0 and "stock" <= 99999);
  exception when check_violation then
    raise warning 'rows of ele_sku_info break the rule "stock" >= 0 and "stock" <= 99999: it is left out';
  end $$;
do $$ begin
  alter table "ele_sku_info" drop constraint if exists "ele_sku_info_weight_range", add constraint "ele_sku_info_weight_range" check ("weight" >= 0 and "weight" <= 1000000);
  exception when check_violation then
    raise warning 'rows of ele_sku_info break the rule "weight" >= 0 and "weight" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "ele_sku_info" drop constraint if exists "ele_sku_info_minimum_range", add constraint "ele_sku_info_minimum_range" check ("minimum" >= 1 and "minimum" <= 999);
  exception when check_violation then
    raise warning 'rows of ele_sku_info break the rule "minimum" >= 1 and "minimum" <= 999: it is left out';
  end $$;
do $$ begin
  alter table "good_info" drop constraint if exists "good_info_sale_price_range", add constraint "good_info_sale_price_range" check ("sale_price" >= 0 and "sale_price" <= 99999999);
  exception when check_violation then
    raise warning 'rows of good_info break the rule "sale_price" >= 0 and "sale_price" <= 99999999: it is left out';
  end $$;
do $$ begin
  alter table "good_info" drop constraint if exists "good_info_cost_price_range", add constraint "good_info_cost_price_range" check ("cost_price" >= 0 and "cost_price" <= 99999999);
  exception when check_violation then
    raise warning 'rows of good_info break the rule "cost_price" >= 0 and "cost_price" <= 99999999: it is left out';
  end $$;
do $$ begin
  alter table "good_info" drop constraint if exists "good_info_vip_price_range", add constraint "good_info_vip_price_range" check ("vip_price" >= 0 and "vip_price" <= 99999999);
  exception when check_violation then
    raise warning 'rows of good_info break the rule "vip_price" >= 0 and "vip_price" <= 99999999: it is left out';
  end $$;
do $$ begin
  alter table "good_info" drop constraint if exists "good_info_low_stock_range", add constraint "good_info_low_stock_range" check ("low_stock" >= 0 and "low_stock" <= 1000000);
  exception when check_violation then
    raise warning 'rows of good_info break the rule "low_stock" >= 0 and "low_stock" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "good_info" drop constraint if exists "good_info_sort_range", add constraint "good_info_sort_range" check ("sort" >= 0);
  exception when check_violation then
    raise warning 'rows of good_info break the rule "sort" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "good_type" drop constraint if exists "good_type_sort_range", add constraint "good_type_sort_range" check ("sort" >= 0);
  exception when check_violation then
    raise warning 'rows of good_type break the rule "sort" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "join_us" drop constraint if exists "join_us_shop_area_range", add constraint "join_us_shop_area_range" check ("shop_area" >= 0 and "shop_area" <= 100000);
  exception when check_violation then
    raise warning 'rows of join_us break the rule "shop_area" >= 0 and "shop_area" <= 100000: it is left out';
  end $$;
do $$ begin
  alter table "join_us" drop constraint if exists "join_us_budget_range", add constraint "join_us_budget_range" check ("budget" >= 0 and "budget" <= 99999999999999);
  exception when check_violation then
    raise warning 'rows of join_us break the rule "budget" >= 0 and "budget" <= 99999999999999: it is left out';
  end $$;
do $$ begin
  alter table "meituan_general_attrs" drop constraint if exists "meituan_general_attrs_text_max_length_range", add constraint "meituan_general_attrs_text_max_length_range" check ("text_max_length" >= 0 and "text_max_length" <= 10000);
  exception when check_violation then
    raise warning 'rows of meituan_general_attrs break the rule "text_max_length" >= 0 and "text_max_length" <= 10000: it is left out';
  end $$;
do $$ begin
  alter table "meituan_general_attrs" drop constraint if exists "meituan_general_attrs_sequence_range", add constraint "meituan_general_attrs_sequence_range" check ("sequence" >= 0);
  exception when check_violation then
    raise warning 'rows of meituan_general_attrs break the rule "sequence" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "meituan_good_type" drop constraint if exists "meituan_good_type_rank_range", add constraint "meituan_good_type_rank_range" check ("rank" >= 1 and "rank" <= 100000);
  exception when check_violation then
    raise warning 'rows of meituan_good_type break the rule "rank" >= 1 and "rank" <= 100000: it is left out';
  end $$;
do $$ begin
  alter table "meituan_shop_info" drop constraint if exists "meituan_shop_info_longitude_range", add constraint "meituan_shop_info_longitude_range" check ("longitude" >= -180 and "longitude" <= 180);
  exception when check_violation then
    raise warning 'rows of meituan_shop_info break the rule "longitude" >= -180 and "longitude" <= 180: it is left out';
  end $$;
do $$ begin
  alter table "meituan_shop_info" drop constraint if exists "meituan_shop_info_latitude_range", add constraint "meituan_shop_info_latitude_range" check ("latitude" >= -90 and "latitude" <= 90);
  exception when check_violation then
    raise warning 'rows of meituan_shop_info break the rule "latitude" >= -90 and "latitude" <= 90: it is left out';
  end $$;
do $$ begin
  alter table "meituan_shop_info" drop constraint if exists "meituan_shop_info_shipping_fee_range", add constraint "meituan_shop_info_shipping_fee_range" check ("shipping_fee" >= 0 and "shipping_fee" <= 9900);
  exception when check_violation then
    raise warning 'rows of meituan_shop_info break the rule "shipping_fee" >= 0 and "shipping_fee" <= 9900: it is left out';
  end $$;
do $$ begin
  alter table "meituan_sku_info" drop constraint if exists "meituan_sku_info_sale_price_range", add constraint "meituan_sku_info_sale_price_range" check ("sale_price" >= 1 and "sale_price" <= 99999900);
  exception when check_violation then
    raise warning 'rows of meituan_sku_info break the rule "sale_price" >= 1 and "sale_price" <= 99999900: it is left out';
  end $$;
do $$ begin
  alter table "meituan_sku_info" drop constraint if exists "meituan_sku_info_stock_range", add constraint "meituan_sku_info_stock_range" check ("stock" >= 0 and "stock" <= 99999);
  exception when check_violation then
    raise warning 'rows of meituan_sku_info break the rule "stock" >= 0 and "stock" <= 99999: it is left out';
  end $$;
do $$ begin
  alter table "meituan_sku_info" drop constraint if exists "meituan_sku_info_weight_range", add constraint "meituan_sku_info_weight_range" check ("weight" >= 0 and "weight" <= 1000000);
  exception when check_violation then
    raise warning 'rows of meituan_sku_info break the rule "weight" >= 0 and "weight" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "meituan_sku_info" drop constraint if exists "meituan_sku_info_min_order_count_range", add constraint "meituan_sku_info_min_order_count_range" check ("min_order_count" >= 1 and "min_order_count" <= 999);
  exception when check_violation then
    raise warning 'rows of meituan_sku_info break the rule "min_order_count" >= 1 and "min_order_count" <= 999: it is left out';
  end $$;
do $$ begin
  alter table "meituan_sku_info" drop constraint if exists "meituan_sku_info_box_num_range", add constraint "meituan_sku_info_box_num_range" check ("box_num" >= 0 and "box_num" <= 100);
  exception when check_violation then
    raise warning 'rows of meituan_sku_info break the rule "box_num" >= 0 and "box_num" <= 100: it is left out';
  end $$;
do $$ begin
  alter table "meituan_sku_info" drop constraint if exists "meituan_sku_info_box_price_range", add constraint "meituan_sku_info_box_price_range" check ("box_price" >= 0 and "box_price" <= 9900);
  exception when check_violation then
    raise warning 'rows of meituan_sku_info break the rule "box_price" >= 0 and "box_price" <= 9900: it is left out';
  end $$;
do $$ begin
  alter table "meituan_tag_list" drop constraint if exists "meituan_tag_list_level_range", add constraint "meituan_tag_list_level_range" check ("level" >= 1 and "level" <= 5);
  exception when check_violation then
    raise warning 'rows of meituan_tag_list break the rule "level" >= 1 and "level" <= 5: it is left out';
  end $$;
do $$ begin
  alter table "menu" drop constraint if exists "menu_sort_range", add constraint "menu_sort_range" check ("sort" >= 0 and "sort" <= 1000000);
  exception when check_violation then
    raise warning 'rows of menu break the rule "sort" >= 0 and "sort" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "merchant_info" drop constraint if exists "merchant_info_fee_rate_range", add constraint "merchant_info_fee_rate_range" check ("fee_rate" >= 0 and "fee_rate" <= 10);
  exception when check_violation then
    raise warning 'rows of merchant_info break the rule "fee_rate" >= 0 and "fee_rate" <= 10: it is left out';
  end $$;
do $$ begin
  alter table "merchant_info" drop constraint if exists "merchant_info_share_ratio_range", add constraint "merchant_info_share_ratio_range" check ("share_ratio" >= 0 and "share_ratio" <= 30);
  exception when check_violation then
    raise warning 'rows of merchant_info break the rule "share_ratio" >= 0 and "share_ratio" <= 30: it is left out';
  end $$;
do $$ begin
  alter table "post" drop constraint if exists "post_sort_range", add constraint "post_sort_range" check ("sort" >= 0 and "sort" <= 1000000);
  exception when check_violation then
    raise warning 'rows of post break the rule "sort" >= 0 and "sort" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "printer_info" drop constraint if exists "printer_info_copies_range", add constraint "printer_info_copies_range" check ("copies" >= 1 and "copies" <= 9);
  exception when check_violation then
    raise warning 'rows of printer_info break the rule "copies" >= 1 and "copies" <= 9: it is left out';
  end $$;
do $$ begin
  alter table "recharge_conf" drop constraint if exists "recharge_conf_amount_range", add constraint "recharge_conf_amount_range" check ("amount" >= 1 and "amount" <= 10000000);
  exception when check_violation then
    raise warning 'rows of recharge_conf break the rule "amount" >= 1 and "amount" <= 10000000: it is left out';
  end $$;
do $$ begin
  alter table "recharge_conf" drop constraint if exists "recharge_conf_gift_amount_range", add constraint "recharge_conf_gift_amount_range" check ("gift_amount" >= 0 and "gift_amount" <= 10000000);
  exception when check_violation then
    raise warning 'rows of recharge_conf break the rule "gift_amount" >= 0 and "gift_amount" <= 10000000: it is left out';
  end $$;
do $$ begin
  alter table "recharge_conf" drop constraint if exists "recharge_conf_gift_integral_range", add constraint "recharge_conf_gift_integral_range" check ("gift_integral" >= 0 and "gift_integral" <= 1000000);
  exception when check_violation then
    raise warning 'rows of recharge_conf break the rule "gift_integral" >= 0 and "gift_integral" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "recharge_conf" drop constraint if exists "recharge_conf_per_user_range", add constraint "recharge_conf_per_user_range" check ("per_user" >= 0 and "per_user" <= 1000);
  exception when check_violation then
    raise warning 'rows of recharge_conf break the rule "per_user" >= 0 and "per_user" <= 1000: it is left out';
  end $$;
do $$ begin
  alter table "recharge_conf" drop constraint if exists "recharge_conf_sort_range", add constraint "recharge_conf_sort_range" check ("sort" >= 0);
  exception when check_violation then
    raise warning 'rows of recharge_conf break the rule "sort" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "refund_limit" drop constraint if exists "refund_limit_amount_range", add constraint "refund_limit_amount_range" check ("amount" >= 0 and "amount" <= 99999999);
  exception when check_violation then
    raise warning 'rows of refund_limit break the rule "amount" >= 0 and "amount" <= 99999999: it is left out';
  end $$;
do $$ begin
  alter table "region" drop constraint if exists "region_sort_range", add constraint "region_sort_range" check ("sort" >= 0 and "sort" <= 1000000);
  exception when check_violation then
    raise warning 'rows of region break the rule "sort" >= 0 and "sort" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "return_log" drop constraint if exists "return_log_quantity_range", add constraint "return_log_quantity_range" check ("quantity" >= 0);
  exception when check_violation then
    raise warning 'rows of return_log break the rule "quantity" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "return_log" drop constraint if exists "return_log_amount_range", add constraint "return_log_amount_range" check ("amount" >= 0);
  exception when check_violation then
    raise warning 'rows of return_log break the rule "amount" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "shop_conf" drop constraint if exists "shop_conf_door_hold_seconds_range", add constraint "shop_conf_door_hold_seconds_range" check ("door_hold_seconds" >= 1 and "door_hold_seconds" <= 120);
  exception when check_violation then
    raise warning 'rows of shop_conf break the rule "door_hold_seconds" >= 1 and "door_hold_seconds" <= 120: it is left out';
  end $$;
do $$ begin
  alter table "shop_conf" drop constraint if exists "shop_conf_points_per_yuan_range", add constraint "shop_conf_points_per_yuan_range" check ("points_per_yuan" >= 0 and "points_per_yuan" <= 1000);
  exception when check_violation then
    raise warning 'rows of shop_conf break the rule "points_per_yuan" >= 0 and "points_per_yuan" <= 1000: it is left out';
  end $$;
do $$ begin
  alter table "shop_conf" drop constraint if exists "shop_conf_points_for_yuan_range", add constraint "shop_conf_points_for_yuan_range" check ("points_for_yuan" >= 0 and "points_for_yuan" <= 1000000);
  exception when check_violation then
    raise warning 'rows of shop_conf break the rule "points_for_yuan" >= 0 and "points_for_yuan" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "shop_conf" drop constraint if exists "shop_conf_points_share_range", add constraint "shop_conf_points_share_range" check ("points_share" >= 0 and "points_share" <= 100);
  exception when check_violation then
    raise warning 'rows of shop_conf break the rule "points_share" >= 0 and "points_share" <= 100: it is left out';
  end $$;
do $$ begin
  alter table "shop_conf" drop constraint if exists "shop_conf_low_stock_threshold_range", add constraint "shop_conf_low_stock_threshold_range" check ("low_stock_threshold" >= 0 and "low_stock_threshold" <= 10000);
  exception when check_violation then
    raise warning 'rows of shop_conf break the rule "low_stock_threshold" >= 0 and "low_stock_threshold" <= 10000: it is left out';
  end $$;
do $$ begin
  alter table "shop_conf" drop constraint if exists "shop_conf_expiry_warn_days_range", add constraint "shop_conf_expiry_warn_days_range" check ("expiry_warn_days" >= 0 and "expiry_warn_days" <= 365);
  exception when check_violation then
    raise warning 'rows of shop_conf break the rule "expiry_warn_days" >= 0 and "expiry_warn_days" <= 365: it is left out';
  end $$;
do $$ begin
  alter table "storage_batch" drop constraint if exists "storage_batch_quantity_range", add constraint "storage_batch_quantity_range" check ("quantity" >= 0);
  exception when check_violation then
    raise warning 'rows of storage_batch break the rule "quantity" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "storage_batch" drop constraint if exists "storage_batch_cost_price_range", add constraint "storage_batch_cost_price_range" check ("cost_price" >= 0);
  exception when check_violation then
    raise warning 'rows of storage_batch break the rule "cost_price" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "supplier_cart" drop constraint if exists "supplier_cart_quantity_range", add constraint "supplier_cart_quantity_range" check ("quantity" >= 1 and "quantity" <= 1000000);
  exception when check_violation then
    raise warning 'rows of supplier_cart break the rule "quantity" >= 1 and "quantity" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "supplier_goods_info" drop constraint if exists "supplier_goods_info_price_range", add constraint "supplier_goods_info_price_range" check ("price" >= 0 and "price" <= 99999999);
  exception when check_violation then
    raise warning 'rows of supplier_goods_info break the rule "price" >= 0 and "price" <= 99999999: it is left out';
  end $$;
do $$ begin
  alter table "supplier_goods_info" drop constraint if exists "supplier_goods_info_box_qty_range", add constraint "supplier_goods_info_box_qty_range" check ("box_qty" >= 1 and "box_qty" <= 10000);
  exception when check_violation then
    raise warning 'rows of supplier_goods_info break the rule "box_qty" >= 1 and "box_qty" <= 10000: it is left out';
  end $$;
do $$ begin
  alter table "supplier_goods_info" drop constraint if exists "supplier_goods_info_min_order_range", add constraint "supplier_goods_info_min_order_range" check ("min_order" >= 1 and "min_order" <= 1000000);
  exception when check_violation then
    raise warning 'rows of supplier_goods_info break the rule "min_order" >= 1 and "min_order" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "supplier_goods_info" drop constraint if exists "supplier_goods_info_stock_range", add constraint "supplier_goods_info_stock_range" check ("stock" >= 0 and "stock" <= 100000000);
  exception when check_violation then
    raise warning 'rows of supplier_goods_info break the rule "stock" >= 0 and "stock" <= 100000000: it is left out';
  end $$;
do $$ begin
  alter table "supplier_goods_info" drop constraint if exists "supplier_goods_info_shelf_days_range", add constraint "supplier_goods_info_shelf_days_range" check ("shelf_days" >= 1 and "shelf_days" <= 3650);
  exception when check_violation then
    raise warning 'rows of supplier_goods_info break the rule "shelf_days" >= 1 and "shelf_days" <= 3650: it is left out';
  end $$;
do $$ begin
  alter table "supplier_info" drop constraint if exists "supplier_info_lead_days_range", add constraint "supplier_info_lead_days_range" check ("lead_days" >= 0 and "lead_days" <= 90);
  exception when check_violation then
    raise warning 'rows of supplier_info break the rule "lead_days" >= 0 and "lead_days" <= 90: it is left out';
  end $$;
do $$ begin
  alter table "supplier_info" drop constraint if exists "supplier_info_min_amount_range", add constraint "supplier_info_min_amount_range" check ("min_amount" >= 0 and "min_amount" <= 99999999);
  exception when check_violation then
    raise warning 'rows of supplier_info break the rule "min_amount" >= 0 and "min_amount" <= 99999999: it is left out';
  end $$;
do $$ begin
  alter table "supplier_info" drop constraint if exists "supplier_info_freight_range", add constraint "supplier_info_freight_range" check ("freight" >= 0 and "freight" <= 9999999);
  exception when check_violation then
    raise warning 'rows of supplier_info break the rule "freight" >= 0 and "freight" <= 9999999: it is left out';
  end $$;
do $$ begin
  alter table "supplier_info" drop constraint if exists "supplier_info_settlement_days_range", add constraint "supplier_info_settlement_days_range" check ("settlement_days" >= 0 and "settlement_days" <= 365);
  exception when check_violation then
    raise warning 'rows of supplier_info break the rule "settlement_days" >= 0 and "settlement_days" <= 365: it is left out';
  end $$;
do $$ begin
  alter table "supplier_order" drop constraint if exists "supplier_order_freight_range", add constraint "supplier_order_freight_range" check ("freight" >= 0);
  exception when check_violation then
    raise warning 'rows of supplier_order break the rule "freight" >= 0: it is left out';
  end $$;
do $$ begin
  alter table "sys_client" drop constraint if exists "sys_client_access_token_validity_range", add constraint "sys_client_access_token_validity_range" check ("access_token_validity" >= 60 and "access_token_validity" <= 2592000);
  exception when check_violation then
    raise warning 'rows of sys_client break the rule "access_token_validity" >= 60 and "access_token_validity" <= 2592000: it is left out';
  end $$;
do $$ begin
  alter table "sys_client" drop constraint if exists "sys_client_refresh_token_validity_range", add constraint "sys_client_refresh_token_validity_range" check ("refresh_token_validity" >= 60 and "refresh_token_validity" <= 31536000);
  exception when check_violation then
    raise warning 'rows of sys_client break the rule "refresh_token_validity" >= 60 and "refresh_token_validity" <= 31536000: it is left out';
  end $$;
do $$ begin
  alter table "sys_role" drop constraint if exists "sys_role_sort_range", add constraint "sys_role_sort_range" check ("sort" >= 0 and "sort" <= 1000000);
  exception when check_violation then
    raise warning 'rows of sys_role break the rule "sort" >= 0 and "sort" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "top_menu" drop constraint if exists "top_menu_sort_range", add constraint "top_menu_sort_range" check ("sort" >= 0 and "sort" <= 1000000);
  exception when check_violation then
    raise warning 'rows of top_menu break the rule "sort" >= 0 and "sort" <= 1000000: it is left out';
  end $$;
do $$ begin
  alter table "vip_day" drop constraint if exists "vip_day_discount_rate_range", add constraint "vip_day_discount_rate_range" check ("discount_rate" >= 1 and "discount_rate" <= 100);
  exception when check_violation then
    raise warning 'rows of vip_day break the rule "discount_rate" >= 1 and "discount_rate" <= 100: it is left out';
  end $$;
do $$ begin
  alter table "vip_day" drop constraint if exists "vip_day_integral_times_range", add constraint "vip_day_integral_times_range" check ("integral_times" >= 0 and "integral_times" <= 20);
  exception when check_violation then
    raise warning 'rows of vip_day break the rule "integral_times" >= 0 and "integral_times" <= 20: it is left out';
  end $$;
do $$ begin
  alter table "vip_level" drop constraint if exists "vip_level_rank_range", add constraint "vip_level_rank_range" check ("rank" >= 1 and "rank" <= 1000);
  exception when check_violation then
    raise warning 'rows of vip_level break the rule "rank" >= 1 and "rank" <= 1000: it is left out';
  end $$;
do $$ begin
  alter table "vip_level" drop constraint if exists "vip_level_discount_rate_range", add constraint "vip_level_discount_rate_range" check ("discount_rate" >= 1 and "discount_rate" <= 100);
  exception when check_violation then
    raise warning 'rows of vip_level break the rule "discount_rate" >= 1 and "discount_rate" <= 100: it is left out';
  end $$;
do $$ begin
  alter table "vip_level" drop constraint if exists "vip_level_integral_times_range", add constraint "vip_level_integral_times_range" check ("integral_times" >= 0 and "integral_times" <= 20);
  exception when check_violation then
    raise warning 'rows of vip_level break the rule "integral_times" >= 0 and "integral_times" <= 20: it is left out';
  end $$;
do $$ begin
  alter table "vip_level" drop constraint if exists "vip_level_spend_threshold_range", add constraint "vip_level_spend_threshold_range" check ("spend_threshold" >= 0 and "spend_threshold" <= 99999999);
  exception when check_violation then
    raise warning 'rows of vip_level break the rule "spend_threshold" >= 0 and "spend_threshold" <= 99999999: it is left out';
  end $$;
do $$ begin
  alter table "vip_price" drop constraint if exists "vip_price_price_range", add constraint "vip_price_price_range" check ("price" >= 0 and "price" <= 99999999);
  exception when check_violation then
    raise warning 'rows of vip_price break the rule "price" >= 0 and "price" <= 99999999: it is left out';
  end $$;

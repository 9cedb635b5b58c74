-- What a family requires was asked for by forms and calls alone; now the column itself has to hold it. Rows that hold
-- nothing there (none that this product wrote itself, but perhaps some put in by hand) do not stop the start: they get
-- what a list shows in an empty place: an empty text, 0, no, an empty list, the moment the row was made; and where no two
-- rows may be alike, the row's own id. To see beforehand which rows would be touched, ask for those that are null.

update "advertising" set "name" = coalesce("name", ''), "screen" = coalesce("screen", ''), "type" = coalesce("type", ''), "material" = coalesce("material", ''), "seconds" = coalesce("seconds", 0)
  where "name" is null or "screen" is null or "type" is null or "material" is null or "seconds" is null;
alter table "advertising" alter column "name" set not null, alter column "screen" set not null, alter column "type" set not null, alter column "material" set not null, alter column "seconds" set not null;
update "ai_task" set "name" = coalesce("name", id::text), "shop_id" = coalesce("shop_id", id), "target_type" = coalesce("target_type", ''), "workflow" = coalesce("workflow", '')
  where "name" is null or "shop_id" is null or "target_type" is null or "workflow" is null;
alter table "ai_task" alter column "name" set not null, alter column "shop_id" set not null, alter column "target_type" set not null, alter column "workflow" set not null;
update "annual_fee_conf" set "name" = coalesce("name", ''), "level" = coalesce("level", 0), "fee" = coalesce("fee", 0), "months" = coalesce("months", 0)
  where "name" is null or "level" is null or "fee" is null or "months" is null;
alter table "annual_fee_conf" alter column "name" set not null, alter column "level" set not null, alter column "fee" set not null, alter column "months" set not null;
update "attach" set "original_name" = coalesce("original_name", ''), "link" = coalesce("link", '')
  where "original_name" is null or "link" is null;
alter table "attach" alter column "original_name" set not null, alter column "link" set not null;
update "audio_conf" set "name" = coalesce("name", ''), "shop_id" = coalesce("shop_id", 0), "text" = coalesce("text", ''), "trigger" = coalesce("trigger", ''), "voice" = coalesce("voice", '')
  where "name" is null or "shop_id" is null or "text" is null or "trigger" is null or "voice" is null;
alter table "audio_conf" alter column "name" set not null, alter column "shop_id" set not null, alter column "text" set not null, alter column "trigger" set not null, alter column "voice" set not null;
update "banner_conf" set "title" = coalesce("title", ''), "position" = coalesce("position", ''), "picture" = coalesce("picture", '')
  where "title" is null or "position" is null or "picture" is null;
alter table "banner_conf" alter column "title" set not null, alter column "position" set not null, alter column "picture" set not null;
update "barcodes" set "upc" = coalesce("upc", id::text), "name" = coalesce("name", '')
  where "upc" is null or "name" is null;
alter table "barcodes" alter column "upc" set not null, alter column "name" set not null;
update "basic_shop_info" set "shop_name" = coalesce("shop_name", ''), "shop_code" = coalesce("shop_code", id::text)
  where "shop_name" is null or "shop_code" is null;
alter table "basic_shop_info" alter column "shop_name" set not null, alter column "shop_code" set not null;
update "black_list" set "reason" = coalesce("reason", '')
  where "reason" is null;
alter table "black_list" alter column "reason" set not null;
update "cash_register" set "name" = coalesce("name", ''), "sn" = coalesce("sn", id::text), "shop_id" = coalesce("shop_id", 0)
  where "name" is null or "sn" is null or "shop_id" is null;
alter table "cash_register" alter column "name" set not null, alter column "sn" set not null, alter column "shop_id" set not null;
update "cash_register_client_version" set "version_name" = coalesce("version_name", ''), "version_code" = coalesce("version_code", (abs(id) % 2147483647)::integer), "url" = coalesce("url", ''), "md5" = coalesce("md5", ''), "rollout" = coalesce("rollout", 0)
  where "version_name" is null or "version_code" is null or "url" is null or "md5" is null or "rollout" is null;
alter table "cash_register_client_version" alter column "version_name" set not null, alter column "version_code" set not null, alter column "url" set not null, alter column "md5" set not null, alter column "rollout" set not null;
update "cash_register_pic" set "name" = coalesce("name", ''), "picture" = coalesce("picture", ''), "position" = coalesce("position", '')
  where "name" is null or "picture" is null or "position" is null;
alter table "cash_register_pic" alter column "name" set not null, alter column "picture" set not null, alter column "position" set not null;
update "client_version" set "version_name" = coalesce("version_name", ''), "version_code" = coalesce("version_code", (abs(id) % 2147483647)::integer), "url" = coalesce("url", ''), "md5" = coalesce("md5", ''), "rollout" = coalesce("rollout", 0), "model" = coalesce("model", id::text)
  where "version_name" is null or "version_code" is null or "url" is null or "md5" is null or "rollout" is null or "model" is null;
alter table "client_version" alter column "version_name" set not null, alter column "version_code" set not null, alter column "url" set not null, alter column "md5" set not null, alter column "rollout" set not null, alter column "model" set not null;
update "dept" set "dept_name" = coalesce("dept_name", ''), "full_name" = coalesce("full_name", ''), "dept_category" = coalesce("dept_category", 0), "sort" = coalesce("sort", 0)
  where "dept_name" is null or "full_name" is null or "dept_category" is null or "sort" is null;
alter table "dept" alter column "dept_name" set not null, alter column "full_name" set not null, alter column "dept_category" set not null, alter column "sort" set not null;
update "device_info" set "name" = coalesce("name", ''), "type" = coalesce("type", ''), "sn" = coalesce("sn", id::text), "shop_id" = coalesce("shop_id", 0)
  where "name" is null or "type" is null or "sn" is null or "shop_id" is null;
alter table "device_info" alter column "name" set not null, alter column "type" set not null, alter column "sn" set not null, alter column "shop_id" set not null;
update "dict" set "code" = coalesce("code", id::text), "dict_value" = coalesce("dict_value", ''), "sort" = coalesce("sort", 0), "is_sealed" = coalesce("is_sealed", 0)
  where "code" is null or "dict_value" is null or "sort" is null or "is_sealed" is null;
alter table "dict" alter column "code" set not null, alter column "dict_value" set not null, alter column "sort" set not null, alter column "is_sealed" set not null;
update "dict_biz" set "code" = coalesce("code", id::text), "dict_value" = coalesce("dict_value", ''), "sort" = coalesce("sort", 0), "is_sealed" = coalesce("is_sealed", 0)
  where "code" is null or "dict_value" is null or "sort" is null or "is_sealed" is null;
alter table "dict_biz" alter column "code" set not null, alter column "dict_value" set not null, alter column "sort" set not null, alter column "is_sealed" set not null;
update "discount_conf" set "name" = coalesce("name", ''), "type" = coalesce("type", ''), "rules" = coalesce("rules", '{}'), "start_time" = coalesce("start_time", create_time), "end_time" = coalesce("end_time", create_time)
  where "name" is null or "type" is null or "rules" is null or "start_time" is null or "end_time" is null;
alter table "discount_conf" alter column "name" set not null, alter column "type" set not null, alter column "rules" set not null, alter column "start_time" set not null, alter column "end_time" set not null;
update "discount_ticket" set "name" = coalesce("name", ''), "type" = coalesce("type", '')
  where "name" is null or "type" is null;
alter table "discount_ticket" alter column "name" set not null, alter column "type" set not null;
update "ele_aptitude" set "ele_shop_id" = coalesce("ele_shop_id", id), "license_name" = coalesce("license_name", ''), "license_number" = coalesce("license_number", '')
  where "ele_shop_id" is null or "license_name" is null or "license_number" is null;
alter table "ele_aptitude" alter column "ele_shop_id" set not null, alter column "license_name" set not null, alter column "license_number" set not null;
update "ele_good_type" set "ele_shop_id" = coalesce("ele_shop_id", id), "name" = coalesce("name", id::text)
  where "ele_shop_id" is null or "name" is null;
alter table "ele_good_type" alter column "ele_shop_id" set not null, alter column "name" set not null;
update "ele_shop_info" set "shop_id" = coalesce("shop_id", id), "name" = coalesce("name", '')
  where "shop_id" is null or "name" is null;
alter table "ele_shop_info" alter column "shop_id" set not null, alter column "name" set not null;
update "ele_sku_info" set "name" = coalesce("name", ''), "ele_shop_id" = coalesce("ele_shop_id", id), "good_id" = coalesce("good_id", id), "sale_price" = coalesce("sale_price", 0), "status" = coalesce("status", 0)
  where "name" is null or "ele_shop_id" is null or "good_id" is null or "sale_price" is null or "status" is null;
alter table "ele_sku_info" alter column "name" set not null, alter column "ele_shop_id" set not null, alter column "good_id" set not null, alter column "sale_price" set not null, alter column "status" set not null;
update "epa_device" set "name" = coalesce("name", ''), "gateway_id" = coalesce("gateway_id", id), "client_id" = coalesce("client_id", id::text), "kind" = coalesce("kind", '')
  where "name" is null or "gateway_id" is null or "client_id" is null or "kind" is null;
alter table "epa_device" alter column "name" set not null, alter column "gateway_id" set not null, alter column "client_id" set not null, alter column "kind" set not null;
update "epa_gateway" set "name" = coalesce("name", ''), "client_id" = coalesce("client_id", id::text), "shop_id" = coalesce("shop_id", 0)
  where "name" is null or "client_id" is null or "shop_id" is null;
alter table "epa_gateway" alter column "name" set not null, alter column "client_id" set not null, alter column "shop_id" set not null;
update "good_info" set "name" = coalesce("name", ''), "shop_id" = coalesce("shop_id", id), "upc" = coalesce("upc", id::text), "sale_price" = coalesce("sale_price", 0)
  where "name" is null or "shop_id" is null or "upc" is null or "sale_price" is null;
alter table "good_info" alter column "name" set not null, alter column "shop_id" set not null, alter column "upc" set not null, alter column "sale_price" set not null;
update "good_type" set "name" = coalesce("name", id::text)
  where "name" is null;
alter table "good_type" alter column "name" set not null;
update "join_us" set "name" = coalesce("name", ''), "phone" = coalesce("phone", '')
  where "name" is null or "phone" is null;
alter table "join_us" alter column "name" set not null, alter column "phone" set not null;
update "marketing_info" set "title" = coalesce("title", ''), "channel" = coalesce("channel", ''), "body" = coalesce("body", '')
  where "title" is null or "channel" is null or "body" is null;
alter table "marketing_info" alter column "title" set not null, alter column "channel" set not null, alter column "body" set not null;
update "meituan_aptitude" set "meituan_shop_id" = coalesce("meituan_shop_id", id), "license_name" = coalesce("license_name", ''), "license_number" = coalesce("license_number", '')
  where "meituan_shop_id" is null or "license_name" is null or "license_number" is null;
alter table "meituan_aptitude" alter column "meituan_shop_id" set not null, alter column "license_name" set not null, alter column "license_number" set not null;
update "meituan_general_attrs" set "tag_id" = coalesce("tag_id", id::text), "attr_id" = coalesce("attr_id", id::text), "attr_name" = coalesce("attr_name", ''), "attr_value_type" = coalesce("attr_value_type", 0)
  where "tag_id" is null or "attr_id" is null or "attr_name" is null or "attr_value_type" is null;
alter table "meituan_general_attrs" alter column "tag_id" set not null, alter column "attr_id" set not null, alter column "attr_name" set not null, alter column "attr_value_type" set not null;
update "meituan_good_type" set "meituan_shop_id" = coalesce("meituan_shop_id", id), "name" = coalesce("name", id::text)
  where "meituan_shop_id" is null or "name" is null;
alter table "meituan_good_type" alter column "meituan_shop_id" set not null, alter column "name" set not null;
update "meituan_shop_info" set "shop_id" = coalesce("shop_id", id), "name" = coalesce("name", '')
  where "shop_id" is null or "name" is null;
alter table "meituan_shop_info" alter column "shop_id" set not null, alter column "name" set not null;
update "meituan_sku_info" set "name" = coalesce("name", ''), "meituan_shop_id" = coalesce("meituan_shop_id", id), "good_id" = coalesce("good_id", id), "sale_price" = coalesce("sale_price", 0), "status" = coalesce("status", 0)
  where "name" is null or "meituan_shop_id" is null or "good_id" is null or "sale_price" is null or "status" is null;
alter table "meituan_sku_info" alter column "name" set not null, alter column "meituan_shop_id" set not null, alter column "good_id" set not null, alter column "sale_price" set not null, alter column "status" set not null;
update "meituan_tag_list" set "tag_id" = coalesce("tag_id", id::text), "name" = coalesce("name", '')
  where "tag_id" is null or "name" is null;
alter table "meituan_tag_list" alter column "tag_id" set not null, alter column "name" set not null;
update "menu" set "name" = coalesce("name", ''), "code" = coalesce("code", id::text), "category" = coalesce("category", 0), "sort" = coalesce("sort", 0)
  where "name" is null or "code" is null or "category" is null or "sort" is null;
alter table "menu" alter column "name" set not null, alter column "code" set not null, alter column "category" set not null, alter column "sort" set not null;
update "merchant_info" set "name" = coalesce("name", ''), "merchant_no" = coalesce("merchant_no", id::text), "type" = coalesce("type", ''), "status" = coalesce("status", 0)
  where "name" is null or "merchant_no" is null or "type" is null or "status" is null;
alter table "merchant_info" alter column "name" set not null, alter column "merchant_no" set not null, alter column "type" set not null, alter column "status" set not null;
update "notice" set "title" = coalesce("title", ''), "category" = coalesce("category", 0)
  where "title" is null or "category" is null;
alter table "notice" alter column "title" set not null, alter column "category" set not null;
update "notice_subscribe" set "event_types" = coalesce("event_types", '{}'), "channels" = coalesce("channels", '{}')
  where "event_types" is null or "channels" is null;
alter table "notice_subscribe" alter column "event_types" set not null, alter column "channels" set not null;
update "oss" set "category" = coalesce("category", 0), "oss_code" = coalesce("oss_code", id::text), "endpoint" = coalesce("endpoint", ''), "bucket_name" = coalesce("bucket_name", ''), "access_key" = coalesce("access_key", ''), "secret_key" = coalesce("secret_key", '')
  where "category" is null or "oss_code" is null or "endpoint" is null or "bucket_name" is null or "access_key" is null or "secret_key" is null;
alter table "oss" alter column "category" set not null, alter column "oss_code" set not null, alter column "endpoint" set not null, alter column "bucket_name" set not null, alter column "access_key" set not null, alter column "secret_key" set not null;
update "pay_apply" set "merchant_id" = coalesce("merchant_id", 0), "contact_type" = coalesce("contact_type", ''), "contact_name" = coalesce("contact_name", ''), "mobile_phone" = coalesce("mobile_phone", ''), "contact_email" = coalesce("contact_email", ''), "subject_type" = coalesce("subject_type", ''), "merchant_shortname" = coalesce("merchant_shortname", ''), "service_phone" = coalesce("service_phone", ''), "bank_account_type" = coalesce("bank_account_type", '')
  where "merchant_id" is null or "contact_type" is null or "contact_name" is null or "mobile_phone" is null or "contact_email" is null or "subject_type" is null or "merchant_shortname" is null or "service_phone" is null or "bank_account_type" is null;
alter table "pay_apply" alter column "merchant_id" set not null, alter column "contact_type" set not null, alter column "contact_name" set not null, alter column "mobile_phone" set not null, alter column "contact_email" set not null, alter column "subject_type" set not null, alter column "merchant_shortname" set not null, alter column "service_phone" set not null, alter column "bank_account_type" set not null;
update "post" set "category" = coalesce("category", 0), "post_code" = coalesce("post_code", id::text), "post_name" = coalesce("post_name", ''), "sort" = coalesce("sort", 0)
  where "category" is null or "post_code" is null or "post_name" is null or "sort" is null;
alter table "post" alter column "category" set not null, alter column "post_code" set not null, alter column "post_name" set not null, alter column "sort" set not null;
update "price_tag" set "tag_id" = coalesce("tag_id", id::text), "shop_id" = coalesce("shop_id", 0)
  where "tag_id" is null or "shop_id" is null;
alter table "price_tag" alter column "tag_id" set not null, alter column "shop_id" set not null;
update "printer_info" set "name" = coalesce("name", ''), "shop_id" = coalesce("shop_id", 0), "brand" = coalesce("brand", id::text), "sn" = coalesce("sn", id::text), "paper_width" = coalesce("paper_width", 0), "usage" = coalesce("usage", ''), "copies" = coalesce("copies", 0)
  where "name" is null or "shop_id" is null or "brand" is null or "sn" is null or "paper_width" is null or "usage" is null or "copies" is null;
alter table "printer_info" alter column "name" set not null, alter column "shop_id" set not null, alter column "brand" set not null, alter column "sn" set not null, alter column "paper_width" set not null, alter column "usage" set not null, alter column "copies" set not null;
update "recharge_conf" set "name" = coalesce("name", ''), "amount" = coalesce("amount", 0)
  where "name" is null or "amount" is null;
alter table "recharge_conf" alter column "name" set not null, alter column "amount" set not null;
update "refund_limit" set "role_id" = coalesce("role_id", id), "amount" = coalesce("amount", 0)
  where "role_id" is null or "amount" is null;
alter table "refund_limit" alter column "role_id" set not null, alter column "amount" set not null;
update "refunds" set "order_id" = coalesce("order_id", 0), "reason" = coalesce("reason", '')
  where "order_id" is null or "reason" is null;
alter table "refunds" alter column "order_id" set not null, alter column "reason" set not null;
update "region" set "code" = coalesce("code", id::text), "name" = coalesce("name", ''), "region_level" = coalesce("region_level", 0)
  where "code" is null or "name" is null or "region_level" is null;
alter table "region" alter column "code" set not null, alter column "name" set not null, alter column "region_level" set not null;
update "report_file" set "name" = coalesce("name", id::text), "content" = coalesce("content", '')
  where "name" is null or "content" is null;
alter table "report_file" alter column "name" set not null, alter column "content" set not null;
update "return_log" set "direction" = coalesce("direction", ''), "shop_id" = coalesce("shop_id", 0), "good_id" = coalesce("good_id", 0), "quantity" = coalesce("quantity", 0), "reason" = coalesce("reason", '')
  where "direction" is null or "shop_id" is null or "good_id" is null or "quantity" is null or "reason" is null;
alter table "return_log" alter column "direction" set not null, alter column "shop_id" set not null, alter column "good_id" set not null, alter column "quantity" set not null, alter column "reason" set not null;
update "scope_api" set "menu_id" = coalesce("menu_id", 0), "scope_name" = coalesce("scope_name", ''), "resource_code" = coalesce("resource_code", ''), "scope_path" = coalesce("scope_path", ''), "scope_type" = coalesce("scope_type", 0)
  where "menu_id" is null or "scope_name" is null or "resource_code" is null or "scope_path" is null or "scope_type" is null;
alter table "scope_api" alter column "menu_id" set not null, alter column "scope_name" set not null, alter column "resource_code" set not null, alter column "scope_path" set not null, alter column "scope_type" set not null;
update "scope_data" set "menu_id" = coalesce("menu_id", 0), "scope_name" = coalesce("scope_name", ''), "resource_code" = coalesce("resource_code", ''), "scope_type" = coalesce("scope_type", 0)
  where "menu_id" is null or "scope_name" is null or "resource_code" is null or "scope_type" is null;
alter table "scope_data" alter column "menu_id" set not null, alter column "scope_name" set not null, alter column "resource_code" set not null, alter column "scope_type" set not null;
update "share_log" set "order_id" = coalesce("order_id", 0), "receivers" = coalesce("receivers", '{}'), "description" = coalesce("description", '')
  where "order_id" is null or "receivers" is null or "description" is null;
alter table "share_log" alter column "order_id" set not null, alter column "receivers" set not null, alter column "description" set not null;
update "shop_conf" set "shop_id" = coalesce("shop_id", id)
  where "shop_id" is null;
alter table "shop_conf" alter column "shop_id" set not null;
update "sms" set "category" = coalesce("category", 0), "sms_code" = coalesce("sms_code", id::text), "template_id" = coalesce("template_id", ''), "access_key" = coalesce("access_key", '')
  where "category" is null or "sms_code" is null or "template_id" is null or "access_key" is null;
alter table "sms" alter column "category" set not null, alter column "sms_code" set not null, alter column "template_id" set not null, alter column "access_key" set not null;
update "stock_transfer" set "from_shop_id" = coalesce("from_shop_id", 0), "to_shop_id" = coalesce("to_shop_id", 0)
  where "from_shop_id" is null or "to_shop_id" is null;
alter table "stock_transfer" alter column "from_shop_id" set not null, alter column "to_shop_id" set not null;
update "stocktake" set "shop_id" = coalesce("shop_id", 0), "scope" = coalesce("scope", ''), "rule" = coalesce("rule", '')
  where "shop_id" is null or "scope" is null or "rule" is null;
alter table "stocktake" alter column "shop_id" set not null, alter column "scope" set not null, alter column "rule" set not null;
update "storage_batch" set "shop_id" = coalesce("shop_id", 0), "good_id" = coalesce("good_id", id), "quantity" = coalesce("quantity", 0)
  where "shop_id" is null or "good_id" is null or "quantity" is null;
alter table "storage_batch" alter column "shop_id" set not null, alter column "good_id" set not null, alter column "quantity" set not null;
update "supplier_cart" set "shop_id" = coalesce("shop_id", id), "supplier_goods_id" = coalesce("supplier_goods_id", id), "quantity" = coalesce("quantity", 0)
  where "shop_id" is null or "supplier_goods_id" is null or "quantity" is null;
alter table "supplier_cart" alter column "shop_id" set not null, alter column "supplier_goods_id" set not null, alter column "quantity" set not null;
update "supplier_goods_info" set "name" = coalesce("name", ''), "supplier_id" = coalesce("supplier_id", id), "upc" = coalesce("upc", id::text), "price" = coalesce("price", 0), "box_qty" = coalesce("box_qty", 0)
  where "name" is null or "supplier_id" is null or "upc" is null or "price" is null or "box_qty" is null;
alter table "supplier_goods_info" alter column "name" set not null, alter column "supplier_id" set not null, alter column "upc" set not null, alter column "price" set not null, alter column "box_qty" set not null;
update "supplier_info" set "name" = coalesce("name", id::text), "status" = coalesce("status", 0), "lead_days" = coalesce("lead_days", 0)
  where "name" is null or "status" is null or "lead_days" is null;
alter table "supplier_info" alter column "name" set not null, alter column "status" set not null, alter column "lead_days" set not null;
update "supplier_order" set "shop_id" = coalesce("shop_id", 0), "supplier_id" = coalesce("supplier_id", 0)
  where "shop_id" is null or "supplier_id" is null;
alter table "supplier_order" alter column "shop_id" set not null, alter column "supplier_id" set not null;
update "sys_client" set "client_id" = coalesce("client_id", id::text), "client_secret" = coalesce("client_secret", ''), "authorized_grant_types" = coalesce("authorized_grant_types", '{}'), "access_token_validity" = coalesce("access_token_validity", 0), "refresh_token_validity" = coalesce("refresh_token_validity", 0)
  where "client_id" is null or "client_secret" is null or "authorized_grant_types" is null or "access_token_validity" is null or "refresh_token_validity" is null;
alter table "sys_client" alter column "client_id" set not null, alter column "client_secret" set not null, alter column "authorized_grant_types" set not null, alter column "access_token_validity" set not null, alter column "refresh_token_validity" set not null;
update "sys_param" set "param_name" = coalesce("param_name", ''), "param_key" = coalesce("param_key", id::text), "param_value" = coalesce("param_value", '')
  where "param_name" is null or "param_key" is null or "param_value" is null;
alter table "sys_param" alter column "param_name" set not null, alter column "param_key" set not null, alter column "param_value" set not null;
update "sys_role" set "role_name" = coalesce("role_name", ''), "role_alias" = coalesce("role_alias", ''), "sort" = coalesce("sort", 0)
  where "role_name" is null or "role_alias" is null or "sort" is null;
alter table "sys_role" alter column "role_name" set not null, alter column "role_alias" set not null, alter column "sort" set not null;
update "sys_user" set "account" = coalesce("account", id::text), "user_type" = coalesce("user_type", 0), "name" = coalesce("name", ''), "real_name" = coalesce("real_name", '')
  where "account" is null or "user_type" is null or "name" is null or "real_name" is null;
alter table "sys_user" alter column "account" set not null, alter column "user_type" set not null, alter column "name" set not null, alter column "real_name" set not null;
update "tenant" set "tenant_name" = coalesce("tenant_name", '')
  where "tenant_name" is null;
alter table "tenant" alter column "tenant_name" set not null;
update "tenant_package" set "package_name" = coalesce("package_name", id::text), "menu_id" = coalesce("menu_id", '{}')
  where "package_name" is null or "menu_id" is null;
alter table "tenant_package" alter column "package_name" set not null, alter column "menu_id" set not null;
update "third_api" set "name" = coalesce("name", ''), "platform" = coalesce("platform", id::text), "app_key" = coalesce("app_key", id::text), "status" = coalesce("status", 0)
  where "name" is null or "platform" is null or "app_key" is null or "status" is null;
alter table "third_api" alter column "name" set not null, alter column "platform" set not null, alter column "app_key" set not null, alter column "status" set not null;
update "top_menu" set "name" = coalesce("name", ''), "code" = coalesce("code", id::text), "sort" = coalesce("sort", 0)
  where "name" is null or "code" is null or "sort" is null;
alter table "top_menu" alter column "name" set not null, alter column "code" set not null, alter column "sort" set not null;
update "vip_day" set "name" = coalesce("name", ''), "cycle" = coalesce("cycle", ''), "days" = coalesce("days", '{}'), "discount_rate" = coalesce("discount_rate", 0), "integral_times" = coalesce("integral_times", 0)
  where "name" is null or "cycle" is null or "days" is null or "discount_rate" is null or "integral_times" is null;
alter table "vip_day" alter column "name" set not null, alter column "cycle" set not null, alter column "days" set not null, alter column "discount_rate" set not null, alter column "integral_times" set not null;
update "vip_info" set "wx_user_id" = coalesce("wx_user_id", 0), "level" = coalesce("level", 0), "end_time" = coalesce("end_time", create_time)
  where "wx_user_id" is null or "level" is null or "end_time" is null;
alter table "vip_info" alter column "wx_user_id" set not null, alter column "level" set not null, alter column "end_time" set not null;
update "vip_level" set "name" = coalesce("name", id::text), "rank" = coalesce("rank", (abs(id) % 2147483647)::integer), "discount_rate" = coalesce("discount_rate", 0), "integral_times" = coalesce("integral_times", 0)
  where "name" is null or "rank" is null or "discount_rate" is null or "integral_times" is null;
alter table "vip_level" alter column "name" set not null, alter column "rank" set not null, alter column "discount_rate" set not null, alter column "integral_times" set not null;
update "vip_price" set "shop_id" = coalesce("shop_id", 0), "good_id" = coalesce("good_id", 0), "price" = coalesce("price", 0)
  where "shop_id" is null or "good_id" is null or "price" is null;
alter table "vip_price" alter column "shop_id" set not null, alter column "good_id" set not null, alter column "price" set not null;
update "work_device" set "work_id" = coalesce("work_id", id), "device_type" = coalesce("device_type", ''), "sn" = coalesce("sn", id::text), "action" = coalesce("action", '')
  where "work_id" is null or "device_type" is null or "sn" is null or "action" is null;
alter table "work_device" alter column "work_id" set not null, alter column "device_type" set not null, alter column "sn" set not null, alter column "action" set not null;
update "work_info" set "title" = coalesce("title", ''), "type" = coalesce("type", ''), "shop_id" = coalesce("shop_id", 0)
  where "title" is null or "type" is null or "shop_id" is null;
alter table "work_info" alter column "title" set not null, alter column "type" set not null, alter column "shop_id" set not null;
update "wx_shoper" set "nickname" = coalesce("nickname", ''), "openid" = coalesce("openid", id::text), "role" = coalesce("role", '')
  where "nickname" is null or "openid" is null or "role" is null;
alter table "wx_shoper" alter column "nickname" set not null, alter column "openid" set not null, alter column "role" set not null;

-- apart: each statement in no transaction
alter index "good_info_grams_of_name" reset (fastupdate);
alter index "good_info_grams_of_brand" reset (fastupdate);
alter index "good_info_grams_of_shelf_no" reset (fastupdate);
alter index "notice_log_grams_of_content" reset (fastupdate);
alter index "shop_event_grams_of_content" reset (fastupdate);
drop index if exists "shopping_order_detail_grams_of_name";
-- locks: the whole holds no row itself
create index if not exists "shopping_order_detail_grams_of_name" on only "shopping_order_detail" using gin (text_grams(tenant_id, "name"));
-- each part of "shopping_order_detail" without "shopping_order_detail_grams_of_name"
drop index concurrently if exists "shopping_order_detail_grams_of_name_{part}";
-- each part of "shopping_order_detail" without "shopping_order_detail_grams_of_name"
create index concurrently "shopping_order_detail_grams_of_name_{part}" on "shopping_order_detail_{part}" using gin (text_grams(tenant_id, "name"));
-- each part of "shopping_order_detail" without "shopping_order_detail_grams_of_name"
alter index "shopping_order_detail_grams_of_name" attach partition "shopping_order_detail_grams_of_name_{part}";
alter index "storage_batch_grams_of_batch_no" reset (fastupdate);
alter index "wx_user_grams_of_nickname" reset (fastupdate);

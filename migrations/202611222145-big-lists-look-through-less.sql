create or replace function "good_info_holding_brand"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."good_info" where is_deleted = 0 and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "brand") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("brand"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "good_info_holding_brand" from public;
grant execute on function "good_info_holding_brand" to store_app, store_platform;
create or replace function "good_info_holding_shelf_no"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."good_info" where is_deleted = 0 and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "shelf_no") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("shelf_no"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "good_info_holding_shelf_no" from public;
grant execute on function "good_info_holding_shelf_no" to store_app, store_platform;
create or replace function "notice_log_holding_content"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."notice_log" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "content") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("content"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "notice_log_holding_content" from public;
grant execute on function "notice_log_holding_content" to store_app, store_platform;
create or replace function "shop_event_holding_content"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."shop_event" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "content") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("content"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "shop_event_holding_content" from public;
grant execute on function "shop_event_holding_content" to store_app, store_platform;
create or replace function "storage_batch_holding_batch_no"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."storage_batch" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "batch_no") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("batch_no"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "storage_batch_holding_batch_no" from public;
grant execute on function "storage_batch_holding_batch_no" to store_app, store_platform;

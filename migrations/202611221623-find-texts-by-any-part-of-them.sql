create function text_grams(tenant text, value text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  small text := lower(value);
  grams text[] := '{}';
begin
  for i in 1 .. length(small) loop grams := grams || (tenant || ':' || substr(small, i, 2)); end loop;
  return array_to_tsvector(grams);
end $$;

create function grams_asked(tenant text, part text) returns tsquery
language sql immutable strict parallel safe as $$
  select string_agg('''' || replace(replace(tenant || ':' || gram, '\', '\\'), '''', '''''') || ''''
    || case when length(gram) = 1 then ':*' else '' end, ' & ')::tsquery
  from (
    select substr(small, i, 2) as gram
    from (select lower(part) as small) asked,
      generate_series(1, greatest(1, least(length(small) - 1, 24))) i
  ) pairs
$$;

create index "good_info_grams_of_name" on "good_info" using gin (text_grams(tenant_id, "name")) with (fastupdate = off) where is_deleted = 0;
create index "shopping_order_detail_grams_of_name" on "shopping_order_detail" using gin (text_grams(tenant_id, "name")) with (fastupdate = off);
create index "wx_user_grams_of_nickname" on "wx_user" using gin (text_grams(tenant_id, "nickname")) with (fastupdate = off);
create or replace function "good_info_holding_name"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."good_info" where is_deleted = 0 and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "name") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("name"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "good_info_holding_name" from public;
grant execute on function "good_info_holding_name" to store_app, store_platform;
create or replace function "shopping_order_detail_holding_name"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."shopping_order_detail" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "name") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("name"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "shopping_order_detail_holding_name" from public;
grant execute on function "shopping_order_detail_holding_name" to store_app, store_platform;
create or replace function "wx_user_holding_nickname"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."wx_user" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "nickname") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("nickname"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "wx_user_holding_nickname" from public;
grant execute on function "wx_user_holding_nickname" to store_app, store_platform;

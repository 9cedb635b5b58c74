-- Ids that were typed become references: what points to a row of the kind the task looks at stays, anything else pointed nowhere.
alter table "ai_task" add column "target_rows" bigint[];
update "ai_task" a set target_rows = (
  select array_agg(t::bigint order by at) from unnest(a.target_ids) with ordinality as given(t, at) where t ~ '^\d{1,18}$' and case a.target_type
    when 'camera' then exists (select 1 from device_info x where x.id = t::bigint and x.tenant_id = a.tenant_id and x.shop_id = a.shop_id)
    when 'shelf' then exists (select 1 from good_info x where x.id = t::bigint and x.tenant_id = a.tenant_id and x.shop_id = a.shop_id)
    when 'order' then exists (select 1 from shopping_order x where x.id = t::bigint and x.tenant_id = a.tenant_id and x.shop_id = a.shop_id)
    when 'visit' then exists (select 1 from customer_visit_log x where x.id = t::bigint and x.tenant_id = a.tenant_id and x.shop_id = a.shop_id)
    when 'report' then t::bigint = a.shop_id
    else false end);
alter table "ai_task" drop column "target_ids";
alter table "ai_task" rename column "target_rows" to "target_ids";

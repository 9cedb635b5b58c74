create table "roamers_by_day" (
  "tenant_id" text not null,
  "at" timestamptz(3) not null,
  "wx_user_id" bigint not null,
  primary key (tenant_id, at, wx_user_id)
);
grant select, insert, update, delete on "roamers_by_day" to store_app;
grant select, insert, update, delete on "roamers_by_day" to store_platform;
alter table "roamers_by_day" enable row level security;
create policy own_rows on "roamers_by_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "roamers_by_day" to store_platform using (true) with check (true);
create table "visitors_by_day" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "people" bigint not null,
  primary key (tenant_id, shop_id, at)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "visitors_by_day_by_time" on "visitors_by_day" (tenant_id, at);
grant select, insert, update, delete on "visitors_by_day" to store_app;
grant select, insert, update, delete on "visitors_by_day" to store_platform;
alter table "visitors_by_day" enable row level security;
create policy own_rows on "visitors_by_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "visitors_by_day" to store_platform using (true) with check (true);

-- What is known already of the days before.
insert into visitors_by_day (tenant_id, shop_id, at, people) select tenant_id, shop_id, at, count(*) from people_by_day where orders > 0 group by 1, 2, 3;
insert into roamers_by_day (tenant_id, at, wx_user_id) select tenant_id, at, wx_user_id from people_by_day where orders > 0 group by 1, 2, 3 having count(*) > 1;

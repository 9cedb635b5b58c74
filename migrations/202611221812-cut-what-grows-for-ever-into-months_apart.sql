-- apart: each statement in no transaction
do $$ begin
  if (select relkind from pg_class where oid = '"balance_log"'::regclass) = 'r' then
    alter table "balance_log" drop constraint if exists "balance_log_past";
    execute format('alter table "balance_log" add constraint "balance_log_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"balance_log"'::regclass) = 'r' then
    alter table "balance_log" validate constraint "balance_log_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"balance_log"'::regclass) = 'r' then
    alter table "balance_log" rename to "balance_log_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"balance_log_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"balance_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "balance_log_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"balance_log_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "balance_log_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'balance_log_past' loop
      execute format('drop policy %I on "balance_log_past"', named);
    end loop;
    alter table "balance_log_past" disable row level security;
    revoke all on "balance_log_past" from store_app, store_platform;
    create table "balance_log" (
      "id" bigint not null,
      "tenant_id" text not null,
      "wx_user_id" bigint,
      "type" text,
      "change" bigint,
      "before" bigint,
      "after" bigint,
      "shop_id" bigint,
      "ref_type" text,
      "ref_id" bigint,
      "remark" text,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "balance_log_list" on "balance_log" (tenant_id, create_time desc, id desc);
    create index "balance_log_all" on "balance_log" (create_time desc, id desc);
    create index "balance_log_by_shop_id" on "balance_log" (tenant_id, shop_id, create_time desc, id desc);
    create index "balance_log_by_wx_user_id_create_time_id" on "balance_log" (tenant_id, wx_user_id, create_time desc, id desc);
    create index "balance_log_by_ref_id" on "balance_log" (tenant_id, ref_id);
    create index "balance_log_by_type_create_time" on "balance_log" (tenant_id, type, create_time desc);
    grant select, insert on "balance_log" to store_app;
    grant select, insert on "balance_log" to store_platform;
    alter table "balance_log" enable row level security;
    create policy own_rows on "balance_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "balance_log" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"balance_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "balance_log_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "balance_log" attach partition "balance_log_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "balance_log_past" drop constraint "balance_log_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"door_control_log"'::regclass) = 'r' then
    alter table "door_control_log" drop constraint if exists "door_control_log_past";
    execute format('alter table "door_control_log" add constraint "door_control_log_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"door_control_log"'::regclass) = 'r' then
    alter table "door_control_log" validate constraint "door_control_log_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"door_control_log"'::regclass) = 'r' then
    alter table "door_control_log" rename to "door_control_log_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"door_control_log_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"door_control_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "door_control_log_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"door_control_log_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "door_control_log_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'door_control_log_past' loop
      execute format('drop policy %I on "door_control_log_past"', named);
    end loop;
    alter table "door_control_log_past" disable row level security;
    revoke all on "door_control_log_past" from store_app, store_platform;
    create table "door_control_log" (
      "id" bigint not null,
      "tenant_id" text not null,
      "shop_id" bigint,
      "door_no" text,
      "action" text,
      "source" text,
      "user_id" bigint,
      "wx_user_id" bigint,
      "result" text,
      "reason" text,
      "cost_ms" integer,
      "visit_id" bigint,
      "client_id" text,
      "command_id" text,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "door_control_log_list" on "door_control_log" (tenant_id, create_time desc, id desc);
    create index "door_control_log_all" on "door_control_log" (create_time desc, id desc);
    create index "door_control_log_by_shop_id" on "door_control_log" (tenant_id, shop_id, create_time desc, id desc);
    create index "door_control_log_by_wx_user_id_create_time" on "door_control_log" (tenant_id, wx_user_id, create_time desc);
    create index "door_control_log_by_visit_id" on "door_control_log" (tenant_id, visit_id);
    grant select, insert on "door_control_log" to store_app;
    grant select, insert on "door_control_log" to store_platform;
    grant delete on "door_control_log" to store_platform;
    create policy young_stay on "door_control_log" as restrictive for delete to store_platform
      using (create_time < now() - interval '30 days');
    alter table "door_control_log" enable row level security;
    create policy own_rows on "door_control_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "door_control_log" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"door_control_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "door_control_log_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "door_control_log" attach partition "door_control_log_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "door_control_log_past" drop constraint "door_control_log_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"good_price_log"'::regclass) = 'r' then
    alter table "good_price_log" drop constraint if exists "good_price_log_past";
    execute format('alter table "good_price_log" add constraint "good_price_log_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"good_price_log"'::regclass) = 'r' then
    alter table "good_price_log" validate constraint "good_price_log_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"good_price_log"'::regclass) = 'r' then
    alter table "good_price_log" rename to "good_price_log_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"good_price_log_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"good_price_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "good_price_log_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"good_price_log_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "good_price_log_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'good_price_log_past' loop
      execute format('drop policy %I on "good_price_log_past"', named);
    end loop;
    alter table "good_price_log_past" disable row level security;
    revoke all on "good_price_log_past" from store_app, store_platform;
    create table "good_price_log" (
      "id" bigint not null,
      "tenant_id" text not null,
      "shop_id" bigint,
      "good_id" bigint,
      "upc" text,
      "old_price" bigint,
      "new_price" bigint,
      "old_vip_price" bigint,
      "new_vip_price" bigint,
      "old_cost_price" bigint,
      "new_cost_price" bigint,
      "operator" bigint,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "good_price_log_list" on "good_price_log" (tenant_id, create_time desc, id desc);
    create index "good_price_log_all" on "good_price_log" (create_time desc, id desc);
    create index "good_price_log_by_shop_id" on "good_price_log" (tenant_id, shop_id, create_time desc, id desc);
    create index "good_price_log_by_good_id_create_time" on "good_price_log" (tenant_id, good_id, create_time desc);
    grant select, insert on "good_price_log" to store_app;
    grant select, insert on "good_price_log" to store_platform;
    alter table "good_price_log" enable row level security;
    create policy own_rows on "good_price_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "good_price_log" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"good_price_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "good_price_log_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "good_price_log" attach partition "good_price_log_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "good_price_log_past" drop constraint "good_price_log_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"integral_log"'::regclass) = 'r' then
    alter table "integral_log" drop constraint if exists "integral_log_past";
    execute format('alter table "integral_log" add constraint "integral_log_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"integral_log"'::regclass) = 'r' then
    alter table "integral_log" validate constraint "integral_log_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"integral_log"'::regclass) = 'r' then
    alter table "integral_log" rename to "integral_log_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"integral_log_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"integral_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "integral_log_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"integral_log_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "integral_log_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'integral_log_past' loop
      execute format('drop policy %I on "integral_log_past"', named);
    end loop;
    alter table "integral_log_past" disable row level security;
    revoke all on "integral_log_past" from store_app, store_platform;
    create table "integral_log" (
      "id" bigint not null,
      "tenant_id" text not null,
      "wx_user_id" bigint,
      "type" text,
      "change" integer,
      "before" integer,
      "after" integer,
      "shop_id" bigint,
      "ref_type" text,
      "ref_id" bigint,
      "remark" text,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "integral_log_list" on "integral_log" (tenant_id, create_time desc, id desc);
    create index "integral_log_all" on "integral_log" (create_time desc, id desc);
    create index "integral_log_by_shop_id" on "integral_log" (tenant_id, shop_id, create_time desc, id desc);
    create index "integral_log_by_wx_user_id_create_time_id" on "integral_log" (tenant_id, wx_user_id, create_time desc, id desc);
    create index "integral_log_by_ref_id" on "integral_log" (tenant_id, ref_id);
    create index "integral_log_by_type_create_time" on "integral_log" (tenant_id, type, create_time desc);
    grant select, insert on "integral_log" to store_app;
    grant select, insert on "integral_log" to store_platform;
    alter table "integral_log" enable row level security;
    create policy own_rows on "integral_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "integral_log" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"integral_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "integral_log_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "integral_log" attach partition "integral_log_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "integral_log_past" drop constraint "integral_log_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"log_api"'::regclass) = 'r' then
    alter table "log_api" drop constraint if exists "log_api_past";
    execute format('alter table "log_api" add constraint "log_api_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"log_api"'::regclass) = 'r' then
    alter table "log_api" validate constraint "log_api_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"log_api"'::regclass) = 'r' then
    alter table "log_api" rename to "log_api_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"log_api_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"log_api_past"'::regclass and contype = 'c' loop
      execute format('alter table "log_api_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"log_api_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "log_api_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'log_api_past' loop
      execute format('drop policy %I on "log_api_past"', named);
    end loop;
    alter table "log_api_past" disable row level security;
    revoke all on "log_api_past" from store_app, store_platform;
    create table "log_api" (
      "id" bigint not null,
      "tenant_id" text not null,
      "service_id" text,
      "server_host" text,
      "server_ip" text,
      "env" text,
      "method" text,
      "request_uri" text,
      "user_agent" text,
      "remote_ip" text,
      "method_class" text,
      "method_name" text,
      "params" text,
      "time" text,
      "create_by" text,
      "trace_id" text,
      "type" text,
      "title" text,
      "http_status" integer,
      "reason" text,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "log_api_list" on "log_api" (tenant_id, create_time desc, id desc);
    create index "log_api_all" on "log_api" (create_time desc, id desc);
    grant select, insert on "log_api" to store_app;
    grant select, insert on "log_api" to store_platform;
    grant delete on "log_api" to store_platform;
    create policy young_stay on "log_api" as restrictive for delete to store_platform
      using (create_time < now() - interval '180 days');
    alter table "log_api" enable row level security;
    create policy own_rows on "log_api" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "log_api" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"log_api_past"'::regclass and contype = 'c' loop
      execute format('alter table "log_api_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "log_api" attach partition "log_api_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "log_api_past" drop constraint "log_api_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"log_error"'::regclass) = 'r' then
    alter table "log_error" drop constraint if exists "log_error_past";
    execute format('alter table "log_error" add constraint "log_error_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"log_error"'::regclass) = 'r' then
    alter table "log_error" validate constraint "log_error_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"log_error"'::regclass) = 'r' then
    alter table "log_error" rename to "log_error_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"log_error_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"log_error_past"'::regclass and contype = 'c' loop
      execute format('alter table "log_error_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"log_error_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "log_error_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'log_error_past' loop
      execute format('drop policy %I on "log_error_past"', named);
    end loop;
    alter table "log_error_past" disable row level security;
    revoke all on "log_error_past" from store_app, store_platform;
    create table "log_error" (
      "id" bigint not null,
      "tenant_id" text not null,
      "service_id" text,
      "server_host" text,
      "server_ip" text,
      "env" text,
      "method" text,
      "request_uri" text,
      "user_agent" text,
      "remote_ip" text,
      "method_class" text,
      "method_name" text,
      "params" text,
      "time" text,
      "create_by" text,
      "trace_id" text,
      "exception_name" text,
      "summary" text,
      "message" text,
      "stack_trace" text,
      "file_name" text,
      "line_number" integer,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "log_error_list" on "log_error" (tenant_id, create_time desc, id desc);
    create index "log_error_all" on "log_error" (create_time desc, id desc);
    grant select, insert on "log_error" to store_app;
    grant select, insert on "log_error" to store_platform;
    grant delete on "log_error" to store_platform;
    create policy young_stay on "log_error" as restrictive for delete to store_platform
      using (create_time < now() - interval '1 days');
    alter table "log_error" enable row level security;
    create policy own_rows on "log_error" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "log_error" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"log_error_past"'::regclass and contype = 'c' loop
      execute format('alter table "log_error_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "log_error" attach partition "log_error_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "log_error_past" drop constraint "log_error_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"log_usual"'::regclass) = 'r' then
    alter table "log_usual" drop constraint if exists "log_usual_past";
    execute format('alter table "log_usual" add constraint "log_usual_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"log_usual"'::regclass) = 'r' then
    alter table "log_usual" validate constraint "log_usual_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"log_usual"'::regclass) = 'r' then
    alter table "log_usual" rename to "log_usual_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"log_usual_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"log_usual_past"'::regclass and contype = 'c' loop
      execute format('alter table "log_usual_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"log_usual_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "log_usual_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'log_usual_past' loop
      execute format('drop policy %I on "log_usual_past"', named);
    end loop;
    alter table "log_usual_past" disable row level security;
    revoke all on "log_usual_past" from store_app, store_platform;
    create table "log_usual" (
      "id" bigint not null,
      "tenant_id" text not null,
      "service_id" text,
      "server_host" text,
      "server_ip" text,
      "env" text,
      "method" text,
      "request_uri" text,
      "user_agent" text,
      "remote_ip" text,
      "method_class" text,
      "method_name" text,
      "params" text,
      "time" text,
      "create_by" text,
      "trace_id" text,
      "log_level" text,
      "log_id" text,
      "log_data" text,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "log_usual_list" on "log_usual" (tenant_id, create_time desc, id desc);
    create index "log_usual_all" on "log_usual" (create_time desc, id desc);
    grant select, insert on "log_usual" to store_app;
    grant select, insert on "log_usual" to store_platform;
    grant delete on "log_usual" to store_platform;
    create policy young_stay on "log_usual" as restrictive for delete to store_platform
      using (create_time < now() - interval '180 days');
    alter table "log_usual" enable row level security;
    create policy own_rows on "log_usual" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "log_usual" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"log_usual_past"'::regclass and contype = 'c' loop
      execute format('alter table "log_usual_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "log_usual" attach partition "log_usual_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "log_usual_past" drop constraint "log_usual_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"order_payment"'::regclass) = 'r' then
    alter table "order_payment" drop constraint if exists "order_payment_past";
    execute format('alter table "order_payment" add constraint "order_payment_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"order_payment"'::regclass) = 'r' then
    alter table "order_payment" validate constraint "order_payment_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"order_payment"'::regclass) = 'r' then
    alter table "order_payment" rename to "order_payment_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"order_payment_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"order_payment_past"'::regclass and contype = 'c' loop
      execute format('alter table "order_payment_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"order_payment_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "order_payment_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'order_payment_past' loop
      execute format('drop policy %I on "order_payment_past"', named);
    end loop;
    alter table "order_payment_past" disable row level security;
    revoke all on "order_payment_past" from store_app, store_platform;
    create table "order_payment" (
      "id" bigint not null,
      "tenant_id" text not null,
      "order_id" bigint not null,
      "shop_id" bigint not null,
      "channel" text not null,
      "amount" bigint not null check (amount > 0),
      "transaction_no" text,
      "pay_time" timestamptz(3),
      "create_time" timestamptz(3) not null default now(),
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "order_payment_by_order_id" on "order_payment" (tenant_id, order_id);
    grant select, insert on "order_payment" to store_app;
    grant select, insert on "order_payment" to store_platform;
    alter table "order_payment" enable row level security;
    create policy own_rows on "order_payment" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "order_payment" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"order_payment_past"'::regclass and contype = 'c' loop
      execute format('alter table "order_payment_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "order_payment" attach partition "order_payment_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "order_payment_past" drop constraint "order_payment_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"price_tag_log"'::regclass) = 'r' then
    alter table "price_tag_log" drop constraint if exists "price_tag_log_past";
    execute format('alter table "price_tag_log" add constraint "price_tag_log_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"price_tag_log"'::regclass) = 'r' then
    alter table "price_tag_log" validate constraint "price_tag_log_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"price_tag_log"'::regclass) = 'r' then
    alter table "price_tag_log" rename to "price_tag_log_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"price_tag_log_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"price_tag_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "price_tag_log_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"price_tag_log_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "price_tag_log_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'price_tag_log_past' loop
      execute format('drop policy %I on "price_tag_log_past"', named);
    end loop;
    alter table "price_tag_log_past" disable row level security;
    revoke all on "price_tag_log_past" from store_app, store_platform;
    create table "price_tag_log" (
      "id" bigint not null,
      "tenant_id" text not null,
      "tag_id" text,
      "action" text,
      "shop_id" bigint,
      "good_id" bigint,
      "upc" text,
      "old_price" bigint,
      "new_price" bigint,
      "template" text,
      "command_id" text,
      "result" text,
      "result_message" text,
      "cost_ms" integer,
      "operator" bigint,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "price_tag_log_list" on "price_tag_log" (tenant_id, create_time desc, id desc);
    create index "price_tag_log_all" on "price_tag_log" (create_time desc, id desc);
    create index "price_tag_log_by_shop_id" on "price_tag_log" (tenant_id, shop_id, create_time desc, id desc);
    create index "price_tag_log_by_tag_id_create_time" on "price_tag_log" (tenant_id, tag_id, create_time desc);
    create index "price_tag_log_by_good_id_create_time" on "price_tag_log" (tenant_id, good_id, create_time desc);
    grant select, insert on "price_tag_log" to store_app;
    grant select, insert on "price_tag_log" to store_platform;
    grant delete on "price_tag_log" to store_platform;
    create policy young_stay on "price_tag_log" as restrictive for delete to store_platform
      using (create_time < now() - interval '1 days');
    alter table "price_tag_log" enable row level security;
    create policy own_rows on "price_tag_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "price_tag_log" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"price_tag_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "price_tag_log_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "price_tag_log" attach partition "price_tag_log_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "price_tag_log_past" drop constraint "price_tag_log_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"request_log"'::regclass) = 'r' then
    alter table "request_log" drop constraint if exists "request_log_past";
    execute format('alter table "request_log" add constraint "request_log_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"request_log"'::regclass) = 'r' then
    alter table "request_log" validate constraint "request_log_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"request_log"'::regclass) = 'r' then
    alter table "request_log" rename to "request_log_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"request_log_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"request_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "request_log_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"request_log_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "request_log_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'request_log_past' loop
      execute format('drop policy %I on "request_log_past"', named);
    end loop;
    alter table "request_log_past" disable row level security;
    revoke all on "request_log_past" from store_app, store_platform;
    create table "request_log" (
      "id" bigint not null,
      "tenant_id" text not null,
      "system" text,
      "direction" text,
      "method" text,
      "url" text,
      "http_status" integer,
      "biz_code" text,
      "cost_ms" integer,
      "trace_id" text,
      "request" text,
      "response" text,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "request_log_list" on "request_log" (tenant_id, create_time desc, id desc);
    create index "request_log_all" on "request_log" (create_time desc, id desc);
    create index "request_log_by_system_create_time" on "request_log" (tenant_id, system, create_time desc);
    create index "request_log_by_trace_id" on "request_log" (tenant_id, trace_id);
    grant select, insert on "request_log" to store_app;
    grant select, insert on "request_log" to store_platform;
    grant delete on "request_log" to store_platform;
    create policy young_stay on "request_log" as restrictive for delete to store_platform
      using (create_time < now() - interval '1 days');
    alter table "request_log" enable row level security;
    create policy own_rows on "request_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "request_log" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"request_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "request_log_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "request_log" attach partition "request_log_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "request_log_past" drop constraint "request_log_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"row_change"'::regclass) = 'r' then
    alter table "row_change" drop constraint if exists "row_change_past";
    execute format('alter table "row_change" add constraint "row_change_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"row_change"'::regclass) = 'r' then
    alter table "row_change" validate constraint "row_change_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"row_change"'::regclass) = 'r' then
    alter table "row_change" rename to "row_change_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"row_change_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"row_change_past"'::regclass and contype = 'c' loop
      execute format('alter table "row_change_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"row_change_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "row_change_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'row_change_past' loop
      execute format('drop policy %I on "row_change_past"', named);
    end loop;
    alter table "row_change_past" disable row level security;
    revoke all on "row_change_past" from store_app, store_platform;
    create table "row_change" (
      "id" bigint not null,
      "tenant_id" text not null,
      "resource" text not null,
      "row_id" bigint not null,
      "kind" text not null default 'edit',
      "via" text not null,
      "version" integer not null,
      "user_id" bigint not null,
      "was" jsonb not null,
      "now" jsonb not null,
      "create_time" timestamptz(3) not null default now(),
      primary key (tenant_id, resource, row_id, id)
    ) partition by range (id);
    create index "row_change_old" on "row_change" (create_time);
    grant select, insert on "row_change" to store_app;
    grant select, insert on "row_change" to store_platform;
    grant delete on "row_change" to store_platform;
    create policy young_stay on "row_change" as restrictive for delete to store_platform
      using (create_time < now() - interval '30 days');
    alter table "row_change" enable row level security;
    create policy own_rows on "row_change" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "row_change" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"row_change_past"'::regclass and contype = 'c' loop
      execute format('alter table "row_change_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "row_change" attach partition "row_change_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "row_change_past" drop constraint "row_change_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"storage_log"'::regclass) = 'r' then
    alter table "storage_log" drop constraint if exists "storage_log_past";
    execute format('alter table "storage_log" add constraint "storage_log_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"storage_log"'::regclass) = 'r' then
    alter table "storage_log" validate constraint "storage_log_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"storage_log"'::regclass) = 'r' then
    alter table "storage_log" rename to "storage_log_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"storage_log_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"storage_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "storage_log_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"storage_log_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "storage_log_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'storage_log_past' loop
      execute format('drop policy %I on "storage_log_past"', named);
    end loop;
    alter table "storage_log_past" disable row level security;
    revoke all on "storage_log_past" from store_app, store_platform;
    create table "storage_log" (
      "id" bigint not null,
      "tenant_id" text not null,
      "shop_id" bigint,
      "good_id" bigint,
      "upc" text,
      "type" text,
      "change" integer,
      "before" integer,
      "after" integer,
      "batch_id" bigint,
      "seq" integer,
      "ref_type" text,
      "ref_id" bigint,
      "operator" bigint,
      "remark" text,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "storage_log_list" on "storage_log" (tenant_id, create_time desc, id desc);
    create index "storage_log_all" on "storage_log" (create_time desc, id desc);
    create index "storage_log_by_shop_id" on "storage_log" (tenant_id, shop_id, create_time desc, id desc);
    create index "storage_log_by_ref_id" on "storage_log" (tenant_id, ref_id);
    create index "storage_log_by_batch_id" on "storage_log" (tenant_id, batch_id);
    grant select, insert on "storage_log" to store_app;
    grant select, insert on "storage_log" to store_platform;
    alter table "storage_log" enable row level security;
    create policy own_rows on "storage_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "storage_log" to store_platform using (true) with check (true);
    for named in select conname from pg_constraint where conrelid = '"storage_log_past"'::regclass and contype = 'c' loop
      execute format('alter table "storage_log_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "storage_log" attach partition "storage_log_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "storage_log_past" drop constraint "storage_log_past";
  end if;
  end $cut$;

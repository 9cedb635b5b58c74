create table "black_appeal" (
  "id" bigint not null,
  "tenant_id" text not null,
  "black_list_id" bigint not null,
  "shop_id" bigint,
  "statement" text not null,
  "phone" text,
  "pictures" text[],
  "status" integer,
  "decide_user" bigint,
  "decide_time" timestamptz(3),
  "decision" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
);
create index "black_appeal_list" on "black_appeal" (tenant_id, create_time desc, id desc);
create index "black_appeal_all" on "black_appeal" (create_time desc, id desc);
create index "black_appeal_by_black_list_id" on "black_appeal" (tenant_id, black_list_id);
create index "black_appeal_by_shop_id_create_time_id" on "black_appeal" (tenant_id, shop_id, create_time desc, id desc);
create index "black_appeal_by_status" on "black_appeal" (tenant_id, status);
grant select, insert, update, delete on "black_appeal" to store_app;
grant select, insert, update, delete on "black_appeal" to store_platform;
alter table "black_appeal" enable row level security;
create policy own_rows on "black_appeal" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "black_appeal" to store_platform using (true) with check (true);
alter table "black_list" add column "visit_id" bigint;
create table "guard_case" (
  "id" bigint not null,
  "tenant_id" text not null,
  "kind" text,
  "shop_id" bigint,
  "status" integer,
  "level" integer,
  "came_time" timestamptz(3),
  "taker_id" bigint,
  "take_time" timestamptz(3),
  "first_time" timestamptz(3),
  "end_time" timestamptz(3),
  "outcome" text,
  "remark" text,
  "event_id" bigint,
  "visit_id" bigint,
  "refund_id" bigint,
  "wx_user_id" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "guard_case_list" on "guard_case" (tenant_id, create_time desc, id desc);
create index "guard_case_all" on "guard_case" (create_time desc, id desc);
create index "guard_case_by_shop_id" on "guard_case" (tenant_id, shop_id, create_time desc, id desc);
create index "guard_case_by_status_came_time" on "guard_case" (tenant_id, status, came_time);
create index "guard_case_by_taker_id_came_time" on "guard_case" (tenant_id, taker_id, came_time);
grant select, insert, update, delete on "guard_case" to store_app;
grant select, insert, update, delete on "guard_case" to store_platform;
alter table "guard_case" enable row level security;
create policy own_rows on "guard_case" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "guard_case" to store_platform using (true) with check (true);
create table "guard_deed" (
  "id" bigint not null,
  "tenant_id" text not null,
  "case_id" bigint not null,
  "kind" text not null,
  "user_id" bigint not null,
  "to_user" bigint,
  "note" text,
  "command_id" bigint,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "guard_deed_by_case_id" on "guard_deed" (tenant_id, case_id, id);
create index "guard_deed_by_user_id" on "guard_deed" (tenant_id, user_id, create_time);
create index "guard_deed_by_create_time" on "guard_deed" (create_time);
grant select, insert on "guard_deed" to store_app;
grant select, insert on "guard_deed" to store_platform;
grant delete on "guard_deed" to store_platform;
create policy young_stay on "guard_deed" as restrictive for delete to store_platform
  using (create_time < now() - interval '30 days');
alter table "guard_deed" enable row level security;
create policy own_rows on "guard_deed" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "guard_deed" to store_platform using (true) with check (true);
create table "guard_phrase" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "audio_id" bigint not null,
  "kinds" text[],
  "sort" integer,
  "enabled" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "guard_phrase_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "guard_phrase_list" on "guard_phrase" (tenant_id, sort, id) where is_deleted = 0;
create index "guard_phrase_all" on "guard_phrase" (sort, id) where is_deleted = 0;
create unique index "guard_phrase_uq_name" on "guard_phrase" (tenant_id, name) where is_deleted = 0;
create index "guard_phrase_bin" on "guard_phrase" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "guard_phrase" to store_app;
grant select, insert, update, delete on "guard_phrase" to store_platform;
alter table "guard_phrase" enable row level security;
create policy own_rows on "guard_phrase" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "guard_phrase" to store_platform using (true) with check (true);
create table "guard_shift" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint,
  "status" integer,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "shop_ids" bigint[],
  "came" integer,
  "done" integer,
  "itself" integer,
  "left" integer,
  "answer_p95" integer,
  "handover" jsonb,
  "note" text,
  "open_key" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "guard_shift_list" on "guard_shift" (tenant_id, start_time desc, id desc);
create index "guard_shift_all" on "guard_shift" (start_time desc, id desc);
create index "guard_shift_by_shop_ids" on "guard_shift" (tenant_id, shop_ids, start_time desc, id desc);
create unique index "guard_shift_uq_open_key" on "guard_shift" (tenant_id, open_key);
grant select, insert, update, delete on "guard_shift" to store_app;
grant select, insert, update, delete on "guard_shift" to store_platform;
alter table "guard_shift" enable row level security;
create policy own_rows on "guard_shift" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "guard_shift" to store_platform using (true) with check (true);
create table "shop_loss" (
  "id" bigint not null,
  "tenant_id" text not null,
  "day" date,
  "kind" text,
  "shop_id" bigint,
  "amount" bigint,
  "why" text,
  "why_en" text,
  "certainty" text,
  "good_id" bigint,
  "quantity" integer,
  "visit_id" bigint,
  "order_id" bigint,
  "refund_id" bigint,
  "stocktake_id" bigint,
  "batch_id" bigint,
  "storage_log_id" bigint,
  "wx_user_id" bigint,
  "mark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "shop_loss_list" on "shop_loss" (tenant_id, day desc, id desc);
create index "shop_loss_all" on "shop_loss" (day desc, id desc);
create index "shop_loss_by_shop_id" on "shop_loss" (tenant_id, shop_id, day desc, id desc);
create index "shop_loss_by_kind_day" on "shop_loss" (tenant_id, kind, day);
create index "shop_loss_by_shop_id_day" on "shop_loss" (tenant_id, shop_id, day);
create unique index "shop_loss_uq_mark" on "shop_loss" (tenant_id, mark);
grant select, insert, update, delete on "shop_loss" to store_app;
grant select, insert, update, delete on "shop_loss" to store_platform;
alter table "shop_loss" enable row level security;
create policy own_rows on "shop_loss" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shop_loss" to store_platform using (true) with check (true);

create or replace function guard_follows_event() returns trigger language plpgsql as $$
begin
  if new.level < 2 or new.type in ('lowStock', 'expiring', 'tagBatteryLow', 'tagsLost', 'rolloutStopped') then
    return null;
  end if;
  if new.status = 0 and (tg_op = 'INSERT' or old.status <> 0 or old.level < 2) then
    insert into guard_case (id, tenant_id, shop_id, status, came_time,
      create_time, kind, level, event_id, visit_id)
    select new.id, new.tenant_id, new.shop_id, 0, m.moment, m.moment, new.type, new.level, new.id, substring(new.subject from '^visit/([0-9]{1,18})$')::bigint
    from (select case when tg_op = 'INSERT' then new.create_time else now() end as moment) m
    on conflict (tenant_id, id) do update set status = 0, level = excluded.level, came_time = now(),
      taker_id = null, take_time = null, first_time = null, end_time = null, outcome = null, remark = null,
      update_time = now(), version = guard_case.version + 1
    where guard_case.status >= 2;
    update guard_case c set wx_user_id = v.wx_user_id from customer_visit_log v
      where c.tenant_id = new.tenant_id and c.id = new.id and v.tenant_id = c.tenant_id and v.id = c.visit_id;
  elsif tg_op = 'UPDATE' then
    if new.level <> old.level then
      update guard_case set level = new.level where tenant_id = new.tenant_id and id = new.id;
    end if;
    if new.status = 1 and old.status <> 1 and new.handler is not null then
      update guard_case set status = 1, taker_id = new.handler, take_time = now(),
        first_time = coalesce(first_time, now()), update_time = now(), version = version + 1
        where tenant_id = new.tenant_id and id = new.id and status = 0;
    elsif new.status = 2 and old.status <> 2 then
      if new.handler is not null and (new.handle_time is distinct from old.handle_time
      or (new.handle_remark is distinct from old.handle_remark and new.handle_remark <> '已自动恢复')) then
        update guard_case set status = 2, outcome = 'elsewhere', end_time = now(),
          first_time = coalesce(first_time, now()), taker_id = coalesce(taker_id, new.handler),
          remark = left(new.handle_remark, 500), update_time = now(), version = version + 1
    where tenant_id = new.tenant_id and id = new.id and status < 2;
      else
        update guard_case set status = 3, outcome = 'itself', end_time = now(), update_time = now(), version = version + 1
    where tenant_id = new.tenant_id and id = new.id and status < 2;
      end if;
    end if;
  end if;
  return null;
end $$;
drop trigger if exists guard_follows_event on shop_event;
create trigger guard_follows_event after insert on shop_event for each row execute function guard_follows_event();
drop trigger if exists guard_follows_handled_event on shop_event;
create trigger guard_follows_handled_event after update on shop_event for each row
  when (old.status is distinct from new.status or old.level is distinct from new.level)
  execute function guard_follows_event();

create or replace function guard_follows_visit() returns trigger language plpgsql as $$
begin
  if new.result = 'suspicious' then
    insert into guard_case (id, tenant_id, shop_id, status, came_time,
      create_time, kind, level, visit_id, wx_user_id)
    select new.id, new.tenant_id, new.shop_id, 0, m.moment, m.moment, 'suspicious', 2, new.id, new.wx_user_id
    from (select case when tg_op = 'INSERT' then new.create_time else now() end as moment) m
    on conflict (tenant_id, id) do update set status = 0, level = excluded.level, came_time = now(),
      taker_id = null, take_time = null, first_time = null, end_time = null, outcome = null, remark = null,
      update_time = now(), version = guard_case.version + 1
    where guard_case.status >= 2;
  else
    update guard_case set status = 3, outcome = 'itself', end_time = now(), update_time = now(), version = version + 1
    where tenant_id = new.tenant_id and id = new.id and status < 2;
  end if;
  return null;
end $$;
drop trigger if exists guard_follows_visit on customer_visit_log;
create trigger guard_follows_visit after insert on customer_visit_log for each row
  when (new.result = 'suspicious') execute function guard_follows_visit();
drop trigger if exists guard_follows_result on customer_visit_log;
create trigger guard_follows_result after update on customer_visit_log for each row
  when (old.result is distinct from new.result and (new.result = 'suspicious' or old.result = 'suspicious'))
  execute function guard_follows_visit();

create or replace function guard_follows_refund() returns trigger language plpgsql as $$
begin
  if new.status = 0 then
    insert into guard_case (id, tenant_id, shop_id, status, came_time,
      create_time, kind, level, refund_id, wx_user_id)
    select new.id, new.tenant_id, new.shop_id, 0, m.moment, m.moment, 'refund', 1, new.id, new.wx_user_id
    from (select case when tg_op = 'INSERT' then new.create_time else now() end as moment) m
    on conflict (tenant_id, id) do update set status = 0, level = excluded.level, came_time = now(),
      taker_id = null, take_time = null, first_time = null, end_time = null, outcome = null, remark = null,
      update_time = now(), version = guard_case.version + 1
    where guard_case.status >= 2;
  else
    update guard_case set status = 2, end_time = now(), first_time = coalesce(first_time, now()),
      outcome = case when new.status = 5 then 'rejected' else 'approved' end,
      taker_id = coalesce(taker_id, new.second_user, new.audit_user), remark = left(new.audit_remark, 500), update_time = now(), version = version + 1
    where tenant_id = new.tenant_id and id = new.id and status < 2;
  end if;
  return null;
end $$;
drop trigger if exists guard_follows_refund on refunds;
create trigger guard_follows_refund after insert on refunds for each row
  when (new.status = 0) execute function guard_follows_refund();
drop trigger if exists guard_follows_decision on refunds;
create trigger guard_follows_decision after update on refunds for each row
  when (old.status is distinct from new.status and (new.status = 0 or old.status = 0))
  execute function guard_follows_refund();

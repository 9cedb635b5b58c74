-- apart: each statement in no transaction
do $$ begin
  if (select relkind from pg_class where oid = '"shopping_order"'::regclass) = 'r' then
    alter table "shopping_order" drop constraint if exists "shopping_order_past";
    execute format('alter table "shopping_order" add constraint "shopping_order_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"shopping_order"'::regclass) = 'r' then
    alter table "shopping_order" validate constraint "shopping_order_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"shopping_order"'::regclass) = 'r' then
    alter table "shopping_order" rename to "shopping_order_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"shopping_order_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"shopping_order_past"'::regclass and contype = 'c' loop
      execute format('alter table "shopping_order_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"shopping_order_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "shopping_order_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'shopping_order_past' loop
      execute format('drop policy %I on "shopping_order_past"', named);
    end loop;
    alter table "shopping_order_past" disable row level security;
    revoke all on "shopping_order_past" from store_app, store_platform;
    create table "shopping_order" (
      "id" bigint not null,
      "tenant_id" text not null,
      "order_no" text collate "C",
      "order_no_tail" text collate "C" generated always as (reverse("order_no")) stored,
      "shop_id" bigint,
      "wx_user_id" bigint,
      "status" integer,
      "source" text,
      "type" text,
      "flags" text[],
      "quantity" integer,
      "summary" text,
      "goods_amount" bigint,
      "discount_amount" bigint,
      "ticket_amount" bigint,
      "vip_amount" bigint,
      "integral_amount" bigint,
      "freight" bigint,
      "pay_amount" bigint,
      "balance_amount" bigint,
      "refund_amount" bigint,
      "cost_amount" bigint,
      "pay_type" text,
      "pay_time" timestamptz(3),
      "transaction_no" text,
      "cash_register_id" bigint,
      "sale_no" text,
      "visit_id" bigint,
      "pay_deadline" timestamptz(3),
      "pickup_code" text,
      "quote_id" bigint,
      "deliver_to" jsonb,
      "finish_time" timestamptz(3),
      "cancel_reason" text,
      "remark" text,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "shopping_order_list" on "shopping_order" (tenant_id, create_time desc, id desc);
    create index "shopping_order_all" on "shopping_order" (create_time desc, id desc);
    create index "shopping_order_by_shop_id" on "shopping_order" (tenant_id, shop_id, create_time desc, id desc);
    create index "shopping_order_by_shop_id_status_create_time_id" on "shopping_order" (tenant_id, shop_id, status, create_time desc, id desc);
    create index "shopping_order_by_shop_id_pay_time" on "shopping_order" (tenant_id, shop_id, pay_time);
    create index "shopping_order_by_pay_time" on "shopping_order" (tenant_id, pay_time);
    create index "shopping_order_by_wx_user_id_create_time" on "shopping_order" (tenant_id, wx_user_id, create_time desc);
    create index "shopping_order_by_cash_register_id_create_time" on "shopping_order" (tenant_id, cash_register_id, create_time desc);
    create index "shopping_order_by_transaction_no" on "shopping_order" (tenant_id, transaction_no);
    create index "shopping_order_by_order_no_tail" on "shopping_order" (order_no_tail, tenant_id);
    grant select, insert, update, delete on "shopping_order" to store_app;
    grant select, insert, update, delete on "shopping_order" to store_platform;
    alter table "shopping_order" enable row level security;
    create policy own_rows on "shopping_order" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "shopping_order" to store_platform using (true) with check (true);
    create or replace function follow_shopping_order() returns trigger language plpgsql set enable_seqscan = off
        set enable_hashjoin = off set enable_mergejoin = off as $$
    begin
      if tg_op = 'INSERT' then
        insert into sales_delta (tenant_id, shop_id, at, sales, orders, guests, items, cost, discount, freight, refunds, refund_count) select * from (select tenant_id, shop_id, at, sum(sales)::bigint as sales, sum(orders)::bigint as orders, sum(guests)::bigint as guests, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(discount)::bigint as discount, sum(freight)::bigint as freight, sum(refunds)::bigint as refunds, sum(refund_count)::bigint as refund_count
        from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
              sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.pay_amount, 0)::bigint as sales, coalesce(1, 0)::bigint as orders, coalesce(case when r.wx_user_id is null then 1 else 0 end, 0)::bigint as guests, coalesce(r.quantity, 0)::bigint as items, coalesce(r.cost_amount, 0)::bigint as cost, coalesce(coalesce(r.discount_amount, 0) + coalesce(r.ticket_amount, 0) + coalesce(r.vip_amount, 0) + coalesce(r.integral_amount, 0), 0)::bigint as discount, coalesce(r.freight, 0)::bigint as freight, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_count
        from fresh r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) s group by tenant_id, shop_id, at) d
                where sales <> 0 or orders <> 0 or guests <> 0 or items <> 0 or cost <> 0 or discount <> 0 or freight <> 0 or refunds <> 0 or refund_count <> 0;
        insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
        from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
        from fresh r cross join lateral (select * from shopping_order_detail x where x.tenant_id = r.tenant_id and x.order_id = r.id offset 0) d where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) s group by tenant_id, shop_id, at, good_id) d
                where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
        insert into people_delta (tenant_id, shop_id, at, wx_user_id, orders) select * from (select tenant_id, shop_id, at, wx_user_id, sum(orders)::bigint as orders
        from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              wx_user_id, orders from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.wx_user_id, 0)::bigint as wx_user_id, coalesce(1, 0)::bigint as orders
        from fresh r where r.status in (1, 2, 3, 4) and r.pay_time is not null and r.wx_user_id is not null) f) s group by tenant_id, shop_id, at, wx_user_id) d
                where orders <> 0;
      elsif tg_op = 'DELETE' then
        insert into sales_delta (tenant_id, shop_id, at, sales, orders, guests, items, cost, discount, freight, refunds, refund_count) select * from (select tenant_id, shop_id, at, sum(sales)::bigint as sales, sum(orders)::bigint as orders, sum(guests)::bigint as guests, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(discount)::bigint as discount, sum(freight)::bigint as freight, sum(refunds)::bigint as refunds, sum(refund_count)::bigint as refund_count
        from (select tenant_id, shop_id, at, -sales as sales, -orders as orders, -guests as guests, -items as items, -cost as cost, -discount as discount, -freight as freight, -refunds as refunds, -refund_count as refund_count from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
              sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.pay_amount, 0)::bigint as sales, coalesce(1, 0)::bigint as orders, coalesce(case when r.wx_user_id is null then 1 else 0 end, 0)::bigint as guests, coalesce(r.quantity, 0)::bigint as items, coalesce(r.cost_amount, 0)::bigint as cost, coalesce(coalesce(r.discount_amount, 0) + coalesce(r.ticket_amount, 0) + coalesce(r.vip_amount, 0) + coalesce(r.integral_amount, 0), 0)::bigint as discount, coalesce(r.freight, 0)::bigint as freight, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_count
        from was r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at) d
                where sales <> 0 or orders <> 0 or guests <> 0 or items <> 0 or cost <> 0 or discount <> 0 or freight <> 0 or refunds <> 0 or refund_count <> 0;
        insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
        from (select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
        from was r cross join lateral (select * from shopping_order_detail x where x.tenant_id = r.tenant_id and x.order_id = r.id offset 0) d where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
                where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
        insert into people_delta (tenant_id, shop_id, at, wx_user_id, orders) select * from (select tenant_id, shop_id, at, wx_user_id, sum(orders)::bigint as orders
        from (select tenant_id, shop_id, at, wx_user_id, -orders as orders from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              wx_user_id, orders from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.wx_user_id, 0)::bigint as wx_user_id, coalesce(1, 0)::bigint as orders
        from was r where r.status in (1, 2, 3, 4) and r.pay_time is not null and r.wx_user_id is not null) f) n) s group by tenant_id, shop_id, at, wx_user_id) d
                where orders <> 0;
      elsif exists (select from fresh f join was w on w.id = f.id where (f.tenant_id, f.shop_id, f.status, f.pay_time, f.wx_user_id, f.pay_amount, f.quantity, f.cost_amount, f.discount_amount, f.ticket_amount, f.vip_amount, f.integral_amount, f.freight) is distinct
      from (w.tenant_id, w.shop_id, w.status, w.pay_time, w.wx_user_id, w.pay_amount, w.quantity, w.cost_amount, w.discount_amount, w.ticket_amount, w.vip_amount, w.integral_amount, w.freight)) then
        insert into sales_delta (tenant_id, shop_id, at, sales, orders, guests, items, cost, discount, freight, refunds, refund_count) select * from (select tenant_id, shop_id, at, sum(sales)::bigint as sales, sum(orders)::bigint as orders, sum(guests)::bigint as guests, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(discount)::bigint as discount, sum(freight)::bigint as freight, sum(refunds)::bigint as refunds, sum(refund_count)::bigint as refund_count
        from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
              sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.pay_amount, 0)::bigint as sales, coalesce(1, 0)::bigint as orders, coalesce(case when r.wx_user_id is null then 1 else 0 end, 0)::bigint as guests, coalesce(r.quantity, 0)::bigint as items, coalesce(r.cost_amount, 0)::bigint as cost, coalesce(coalesce(r.discount_amount, 0) + coalesce(r.ticket_amount, 0) + coalesce(r.vip_amount, 0) + coalesce(r.integral_amount, 0), 0)::bigint as discount, coalesce(r.freight, 0)::bigint as freight, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_count
        from fresh r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f union all select tenant_id, shop_id, at, -sales as sales, -orders as orders, -guests as guests, -items as items, -cost as cost, -discount as discount, -freight as freight, -refunds as refunds, -refund_count as refund_count from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
              sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.pay_amount, 0)::bigint as sales, coalesce(1, 0)::bigint as orders, coalesce(case when r.wx_user_id is null then 1 else 0 end, 0)::bigint as guests, coalesce(r.quantity, 0)::bigint as items, coalesce(r.cost_amount, 0)::bigint as cost, coalesce(coalesce(r.discount_amount, 0) + coalesce(r.ticket_amount, 0) + coalesce(r.vip_amount, 0) + coalesce(r.integral_amount, 0), 0)::bigint as discount, coalesce(r.freight, 0)::bigint as freight, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_count
        from was r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at) d
                where sales <> 0 or orders <> 0 or guests <> 0 or items <> 0 or cost <> 0 or discount <> 0 or freight <> 0 or refunds <> 0 or refund_count <> 0;
        insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
        from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
        from fresh r cross join lateral (select * from shopping_order_detail x where x.tenant_id = r.tenant_id and x.order_id = r.id offset 0) d where r.status in (1, 2, 3, 4) and r.pay_time is not null) f union all select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
        from was r cross join lateral (select * from shopping_order_detail x where x.tenant_id = r.tenant_id and x.order_id = r.id offset 0) d where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
                where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
        insert into people_delta (tenant_id, shop_id, at, wx_user_id, orders) select * from (select tenant_id, shop_id, at, wx_user_id, sum(orders)::bigint as orders
        from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              wx_user_id, orders from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.wx_user_id, 0)::bigint as wx_user_id, coalesce(1, 0)::bigint as orders
        from fresh r where r.status in (1, 2, 3, 4) and r.pay_time is not null and r.wx_user_id is not null) f union all select tenant_id, shop_id, at, wx_user_id, -orders as orders from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              wx_user_id, orders from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.wx_user_id, 0)::bigint as wx_user_id, coalesce(1, 0)::bigint as orders
        from was r where r.status in (1, 2, 3, 4) and r.pay_time is not null and r.wx_user_id is not null) f) n) s group by tenant_id, shop_id, at, wx_user_id) d
                where orders <> 0;
      end if;
      return null;
    end $$;
    create or replace trigger follow_shopping_order_insert after insert on "shopping_order" referencing new table as fresh for each
          statement execute function follow_shopping_order();
    create or replace trigger follow_shopping_order_update after update on "shopping_order" referencing old table as was new table as fresh for each
          statement execute function follow_shopping_order();
    create or replace trigger follow_shopping_order_delete after delete on "shopping_order" referencing old table as was for each
          statement execute function follow_shopping_order();
    for named in select conname from pg_constraint where conrelid = '"shopping_order_past"'::regclass and contype = 'c' loop
      execute format('alter table "shopping_order_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "shopping_order" attach partition "shopping_order_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "shopping_order_past" drop constraint "shopping_order_past";
  end if;
  end $cut$;
do $$ begin
  if (select relkind from pg_class where oid = '"shopping_order_detail"'::regclass) = 'r' then
    alter table "shopping_order_detail" drop constraint if exists "shopping_order_detail_past";
    execute format('alter table "shopping_order_detail" add constraint "shopping_order_detail_past" check (id < %s) not valid',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end if;
  end $$;
do $$ begin
  if (select relkind from pg_class where oid = '"shopping_order_detail"'::regclass) = 'r' then
    alter table "shopping_order_detail" validate constraint "shopping_order_detail_past";
  end if;
  end $$;
do $cut$ declare named text; begin
  if (select relkind from pg_class where oid = '"shopping_order_detail"'::regclass) = 'r' then
    alter table "shopping_order_detail" rename to "shopping_order_detail_past";
    for named in select indexrelid::regclass from pg_index where indrelid = '"shopping_order_detail_past"'::regclass loop
      execute format('alter index %s rename to %I', named, left(trim('"' from named), 58) || '_past');
    end loop;
    for named in select conname from pg_constraint where conrelid = '"shopping_order_detail_past"'::regclass and contype = 'c' loop
      execute format('alter table "shopping_order_detail_past" rename constraint %I to %I', named, named || '_');
    end loop;
    for named in select tgname from pg_trigger where tgrelid = '"shopping_order_detail_past"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "shopping_order_detail_past"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = 'shopping_order_detail_past' loop
      execute format('drop policy %I on "shopping_order_detail_past"', named);
    end loop;
    alter table "shopping_order_detail_past" disable row level security;
    revoke all on "shopping_order_detail_past" from store_app, store_platform;
    create table "shopping_order_detail" (
      "id" bigint not null,
      "tenant_id" text not null,
      "order_id" bigint,
      "shop_id" bigint,
      "good_id" bigint,
      "upc" text,
      "name" text,
      "picture" text,
      "spec" text,
      "price" bigint,
      "list_price" bigint,
      "vip_price" bigint,
      "quantity" integer,
      "discount" bigint,
      "amount" bigint,
      "cost_amount" bigint,
      "refund_quantity" integer,
      "refund_amount" bigint,
      "batch_ids" bigint[],
      "allocations" jsonb,
      "benefits" jsonb,
      "sort" integer,
      "remark" text,
      "create_user" bigint,
      "create_dept" bigint,
      "create_time" timestamptz(3) not null default now(),
      "update_user" bigint,
      "update_time" timestamptz(3) not null default now(),
      "version" integer not null default 0,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index "shopping_order_detail_list" on "shopping_order_detail" (tenant_id, create_time desc, id desc);
    create index "shopping_order_detail_all" on "shopping_order_detail" (create_time desc, id desc);
    create index "shopping_order_detail_by_shop_id" on "shopping_order_detail" (tenant_id, shop_id, create_time desc, id desc);
    create index "shopping_order_detail_by_order_id_sort" on "shopping_order_detail" (tenant_id, order_id, sort);
    create index "shopping_order_detail_by_good_id_create_time" on "shopping_order_detail" (tenant_id, good_id, create_time desc);
    create index "shopping_order_detail_grams_of_name" on "shopping_order_detail" using gin (text_grams(tenant_id, "name")) with (fastupdate = off);
    grant select, insert, update, delete on "shopping_order_detail" to store_app;
    grant select, insert, update, delete on "shopping_order_detail" to store_platform;
    alter table "shopping_order_detail" enable row level security;
    create policy own_rows on "shopping_order_detail" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
    create policy every_row on "shopping_order_detail" to store_platform using (true) with check (true);
    create or replace function follow_shopping_order_detail() returns trigger language plpgsql set enable_seqscan = off
        set enable_hashjoin = off set enable_mergejoin = off as $$
    begin
      if tg_op = 'INSERT' then
        insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
        from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
        from fresh d cross join lateral (select * from shopping_order o where d.tenant_id = o.tenant_id and d.order_id = o.id offset 0) r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) s group by tenant_id, shop_id, at, good_id) d
                where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
      elsif tg_op = 'DELETE' then
        insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
        from (select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
        from was d cross join lateral (select * from shopping_order o where d.tenant_id = o.tenant_id and d.order_id = o.id offset 0) r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
                where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
      elsif exists (select from fresh f join was w on w.id = f.id where (f.tenant_id, f.order_id, f.good_id, f.amount, f.quantity, f.cost_amount) is distinct
      from (w.tenant_id, w.order_id, w.good_id, w.amount, w.quantity, w.cost_amount)) then
        insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
        from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
        from fresh d cross join lateral (select * from shopping_order o where d.tenant_id = o.tenant_id and d.order_id = o.id offset 0) r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f union all select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
              good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
        from was d cross join lateral (select * from shopping_order o where d.tenant_id = o.tenant_id and d.order_id = o.id offset 0) r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
                where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
      end if;
      return null;
    end $$;
    create or replace trigger follow_shopping_order_detail_insert after insert on "shopping_order_detail" referencing new table as fresh for each
          statement execute function follow_shopping_order_detail();
    create or replace trigger follow_shopping_order_detail_update after update on "shopping_order_detail" referencing old table as was new table as fresh for each
          statement execute function follow_shopping_order_detail();
    create or replace trigger follow_shopping_order_detail_delete after delete on "shopping_order_detail" referencing old table as was for each
          statement execute function follow_shopping_order_detail();
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
    for named in select conname from pg_constraint where conrelid = '"shopping_order_detail_past"'::regclass and contype = 'c' loop
      execute format('alter table "shopping_order_detail_past" rename constraint %I to %I', named, left(named, -1));
    end loop;
    execute format('alter table "shopping_order_detail" attach partition "shopping_order_detail_past" for values from (minvalue) to (%s)',
      ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
    alter table "shopping_order_detail_past" drop constraint "shopping_order_detail_past";
  end if;
  end $cut$;

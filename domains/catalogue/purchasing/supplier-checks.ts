import { sql, type Sql } from '#kit/server/database/db.ts'

/** Consistency rules of purchases, each a statement that selects the rows that break it: `id`, `expected`, `found`. */
export const supplierConsistencySql: Record<string, Sql> = {
  'a purchase = its lines': sql`select o.id, coalesce(sum(d.quantity), 0) || ' / ' || coalesce(sum(d.amount),
    0) as expected, o.quantity || ' / ' || o.amount as found from supplier_order o
    left join supplier_order_detail d on d.order_id = o.id and d.tenant_id = o.tenant_id
    group by o.tenant_id, o.id, o.quantity, o.amount having coalesce(sum(d.quantity), 0) <> o.quantity
    or coalesce(sum(d.amount), 0) <> o.amount`,
  'what was received of a purchase = its lines': sql`select o.id, coalesce(sum(d.received_quantity),
    0) || ' / ' || coalesce(sum(d.received_amount), 0) as expected, coalesce(o.received_quantity,
    0) || ' / ' || coalesce(o.received_amount, 0) as found
    from supplier_order o left join supplier_order_detail d on d.order_id = o.id and d.tenant_id = o.tenant_id
    group by o.tenant_id, o.id, o.received_quantity, o.received_amount
    having coalesce(sum(d.received_quantity), 0) <> coalesce(o.received_quantity, 0)
    or coalesce(sum(d.received_amount), 0) <> coalesce(o.received_amount, 0)`,
  'no more is received than was ordered': sql`select id, '<= ' || quantity as expected, received_quantity::text as found
    from supplier_order_detail where coalesce(received_quantity, 0) > quantity`,
  'what was received of a purchase came into batches of its own': sql`select o.id, coalesce(o.received_quantity,
    0)::text as expected, coalesce(sum(b.quantity), 0)::text as found from supplier_order o
    left join storage_batch b on b.supplier_order_id = o.id and b.tenant_id = o.tenant_id
   
    group by o.tenant_id, o.id, o.received_quantity
    having coalesce(sum(b.quantity), 0) <> coalesce(o.received_quantity, 0)`,
  'what is settled was received': sql`select id, 'received' as expected, status::text as found from supplier_order
    where settled_amount is not null and status <> 4`,
}

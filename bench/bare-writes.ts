// The lower bound for writing: Fastify and pg writing the very rows that a saved remark and a register's sale leave,
// with triggers, from given values. It looks up, locks, checks and notifies nothing. node bench/bare-writes.ts
// <database url> <port> <tenant>
import Fastify from 'fastify'
import pg from 'pg'
import { openPool } from '#kit/server/database/connections.ts'

type Line = { goodId: string; batchId: string; upc: string; name: string }
type Sale = { no: string; shopId: string; registerId: string; customerId?: string; lines: Line[] }

const [url, port, tenant] = process.argv.slice(2)
const isPiped = process.argv.includes('--piped')
const pool = openPool({
  connectionString: url,
  max: 12,
  pipeline: isPiped,
  options: '-c TimeZone=Asia/Shanghai',
  // The plain driver.
  Client: pg.Client,
})
const app = Fastify()
let made = BigInt(Date.now()) << 16n
const newId = () => String(made++)

type Query = [name: string, text: string, values: unknown[]]

/** Runs the queries in one transaction: sent together, or one after the other. */
async function runTransaction(queries: Query[]): Promise<pg.QueryResult[]> {
  const client = await pool.connect()
  const send = ([name, text, values]: Query) => client.query({ name, text, values })
  try {
    if (isPiped)
      return (await Promise.all([client.query('begin'), ...queries.map(send), client.query('commit')])).slice(1, -1)
    const results: pg.QueryResult[] = []
    await client.query('begin')
    for (const query of queries) results.push(await send(query))
    await client.query('commit')
    return results
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const envelope = (data: unknown) => ({ code: 200, success: true, data, msg: 'ok' })

app.post('/submit', async (request) => {
  const { id, remark } = request.body as { id: string; remark: string }
  const [{ rows }] = (await runTransaction([
    [
      'order',
      `update shopping_order set remark = $2, update_user = 1, update_time = now(), version = version + 1
        where tenant_id = $3 and id = $1 returning id, version`,
      [id, remark, tenant],
    ],
    [
      'change',
      `insert into row_change (id, tenant_id, resource, row_id, kind, via, version, user_id, was, now)
        values ($1, $2, 'shoppingOrder', $3, 'edit', '/api/shop/shoppingOrder/submit', 1, 1, $4, $5)`,
      [newId(), tenant, id, '{"remark": "before"}', JSON.stringify({ remark })],
    ],
    [
      'log',
      `insert into log_api (id, tenant_id, service_id, server_host, server_ip, env, method, request_uri, user_agent,
        remote_ip, method_class, method_name, params, time, create_by, trace_id, type, title, http_status, reason,
        create_user) values ($1, $2, 'api', 'host', '127.0.0.1', 'production', 'POST',
        '/api/shop/shoppingOrder/submit', '', '127.0.0.1', 'shop/shoppingOrder', 'submit', $3, '1', 'admin',
        '0123456789ab', '1', 'submit', 200, '', 1)`,
      [newId(), tenant, JSON.stringify({ body: request.body })],
    ],
  ])) as [pg.QueryResult<{ id: string; version: number }>]
  return envelope(rows[0])
})

app.post('/sale', async (request) => {
  const { no, shopId, registerId, customerId, lines } = request.body as Sale
  const orderId = newId()
  const goods = lines.map((line) => line.goodId)
  const batches = lines.map((line) => line.batchId)
  const reply = { saleNo: no, orderId, orderNo: `SO${orderId}` }
  const byCustomer: Query[] = customerId
    ? [
        [
          'customer',
          `update wx_user set total_spent = coalesce(total_spent, 0) + 700, order_count = coalesce(order_count, 0) + 1,
            last_visit_time = now(), integral = coalesce(integral, 0) + 7, update_time = now()
            where tenant_id = $1 and id = $2`,
          [tenant, customerId],
        ],
        [
          'seen',
          `insert into wx_user_shop as c (tenant_id, shop_id, wx_user_id, order_count, last_time)
            values ($1, $2, $3, 1, now()) on conflict (tenant_id, shop_id, wx_user_id) do update
            set order_count = c.order_count + 1, last_time = excluded.last_time`,
          [tenant, shopId, customerId],
        ],
        [
          'points',
          `insert into integral_log (id, tenant_id, shop_id, wx_user_id, type, change, before, after, ref_type, ref_id,
            create_user) values ($1, $2, $3, $4, 'earn', 7, 0, 7, 'order', $5, 0)`,
          [newId(), tenant, shopId, customerId, orderId],
        ],
      ]
    : []

  await runTransaction([
    [
      'claim',
      `insert into register_sale (tenant_id, register_id, sale_no, digest, order_id, answer)
        values ($1, $2, $3, $4, $5, $6)`,
      [tenant, registerId, no, 'f'.repeat(64), orderId, JSON.stringify(reply)],
    ],
    [
      'goods',
      `update good_info g set stock = coalesce(stock, 0) - 1, stock_seq = coalesce(stock_seq, 0) + 1
        from (select id from good_info where tenant_id = $1 and id = any($2::bigint[]) order by id for no key update) d
        where g.tenant_id = $1 and g.id = d.id`,
      [tenant, goods],
    ],
    [
      'batches',
      `update storage_batch set remaining = remaining - 1, update_time = now()
        where tenant_id = $1 and id = any($2::bigint[])`,
      [tenant, batches],
    ],
    [
      'ledger',
      `insert into storage_log (id, tenant_id, shop_id, good_id, upc, type, change, before, after, batch_id, seq,
        ref_type, ref_id, create_user)
        select d.id, $1, $2, g.id, d.upc, 'sale', -1, g.stock + 1, g.stock, d.batch_id, g.stock_seq, 'order', $3, 0
        from unnest($4::bigint[], $5::bigint[], $6::bigint[], $7::text[]) d(id, good_id, batch_id, upc)
        join good_info g on g.tenant_id = $1 and g.id = d.good_id`,
      [tenant, shopId, orderId, lines.map(newId), goods, batches, lines.map((line) => line.upc)],
    ],
    [
      'sold',
      `insert into shopping_order (id, tenant_id, order_no, shop_id, wx_user_id, status, source, type, flags, quantity,
        summary, goods_amount, discount_amount, ticket_amount, vip_amount, integral_amount, freight, pay_amount,
        balance_amount, refund_amount, cost_amount, pay_type, pay_time, cash_register_id, sale_no, finish_time,
        create_user, update_user) values ($1, $2, $3, $4, $5, 2, 'register', 'store', '{}', 2, $6, 700, 0, 0, 0, 0, 0,
        700, 0, 0, 400, 'cash', now(), $7, $8, now(), 0, 0)`,
      [
        orderId,
        tenant,
        reply.orderNo,
        shopId,
        customerId ?? null,
        lines.map((line) => line.name).join('、'),
        registerId,
        no,
      ],
    ],
    [
      'lines',
      `insert into shopping_order_detail (id, tenant_id, order_id, shop_id, good_id, upc, name, price, list_price,
        quantity, discount, amount, refund_quantity, refund_amount, cost_amount, batch_ids, allocations, benefits, sort,
        create_user, update_user)
        select d.id, $1, $2, $3, d.good_id, d.upc, d.name, 350, 350, 1, 0, 350, 0, 0, 200, array[d.batch_id],
        jsonb_build_array(jsonb_build_object('batchId', d.batch_id::text, 'quantity', 1, 'restored', 0)), '[]',
        d.sort::int, 0, 0
        from unnest($4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[]) with ordinality
        d(id, good_id, batch_id, upc, name, sort)`,
      [
        tenant,
        orderId,
        shopId,
        lines.map(newId),
        goods,
        batches,
        lines.map((line) => line.upc),
        lines.map((line) => line.name),
      ],
    ],
    [
      'payment',
      `insert into order_payment (id, tenant_id, order_id, shop_id, channel, amount, pay_time)
        values ($1, $2, $3, $4, 'cash', 700, now())`,
      [newId(), tenant, orderId, shopId],
    ],
    ...byCustomer,
  ])

  return envelope(reply)
})

// Errors are logged: a lower bound that fails measures nothing.
app.setErrorHandler((error, _request, reply) => {
  console.error(error)
  return reply.status(500).send()
})
app.get('/ready', () => 'ready')
await app.listen({ port: Number(port), host: '127.0.0.1' })

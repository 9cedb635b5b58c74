import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'

/**
 * Fees booked from WeChat Pay's reports: of payments by their number there, of refunds by our number. Remade bills use
 * them.
 */
export const takenFeeTable = defineTable({
  name: 'taken_fee',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'kind', 'number'],
  columns: {
    tenant_id: 'text not null',
    kind: "text not null check (kind in ('pay', 'refund'))",
    number: 'text not null',
    fee: 'bigint not null',
    create_time: 'timestamptz(3) not null default now()',
  },
})

/** SQL expression for the booked fee of a payment or refund `o` in cents; null if none. */
export const takenFeeSql = (kind: 'pay' | 'refund', number: Sql): Sql =>
  sql`(select t.fee from taken_fee t where t.tenant_id = o.tenant_id and t.kind = ${kind} and t.number = ${number})`

/** Saves the reported fee of a payment or refund; overwrites an earlier one. */
export const saveTakenFee = (db: Db, kind: 'pay' | 'refund', number: string, fee: number): Promise<unknown> =>
  db.run(sql`insert into taken_fee as t (tenant_id, kind, number, fee)
    values (${db.tenantId}, ${kind}, ${number}, ${fee})
    on conflict (tenant_id, kind, number) do update set fee = excluded.fee`)

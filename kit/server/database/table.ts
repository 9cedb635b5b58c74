import type { Tenancy } from '../../resource/define-resource.ts'

/** A table as the migrations see it. Made from resources; modules may declare further tables (links, counters). */
export type Table = {
  name: string
  tenancy: Tenancy
  /** Column name to SQL type with constraints: `{ role_id: 'bigint not null' }`. */
  columns: Record<string, string>
  /** `(tenant_id, id)` if rows belong to tenants, else `(id)`, if absent. */
  primaryKey?: readonly string[]
  /**
   * Index name to the SQL after the table name: `(tenant_id, shop_id) where is_deleted = 0`. A name with `_uq` makes it
   * unique.
   */
  indexes?: Record<string, string>
  /** Constraint name to the condition every row must meet. */
  checks?: Record<string, string>
  /** Rows can only be inserted and read; no grant allows update or delete. */
  appendOnly?: boolean
  /**
   * Append-only, but the nightly cleanup deletes old rows (`ModuleDefinition.retention`): a policy lets only rows older
   * than this many days be deleted.
   */
  retentionDays?: number
  /**
   * Partitioned by month or quarter of the id, which contains the creation time (partitions.ts). Unique indexes without
   * the id hold only within one partition, so such a number must contain the time or be assigned under a lock. Use
   * months for what is deleted by age; for the rest use quarters, as each partition makes every list slower.
   */
  partitioned?: 'month' | 'quarter'
  /** Many writes and reads: vacuumed early, so that counts can use index-only scans. */
  busy?: boolean
  /**
   * Functions and triggers that fill this table from others, by name; created after all tables. Each must be repeatable
   * (`create or replace`).
   */
  after?: Record<string, string>
  /** Columns excluded from a tenant's data export; `true` excludes the whole table. */
  secret?: true | readonly string[]
  /** Columns the store role may update although the table is append-only. */
  mutable?: readonly string[]
  /** Set if the table has spare columns for custom fields: how many of each letter (`customColumnsSignature`). */
  own?: string
}

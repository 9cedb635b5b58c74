import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'

/** Families whose rows with a number have a line (device-link.resource.ts). */
const LINKED = [
  { kind: 'gateway', table: 'basic_shop_info', number: 'client_id', name: 'shop_name', shop: 'id' },
  { kind: 'power', table: 'epa_gateway', number: 'client_id', name: 'name', shop: 'shop_id' },
  { kind: 'register', table: 'cash_register', number: 'sn', name: 'name', shop: 'shop_id' },
] as const

/** Whoever writes a row (form, import, story), its line follows: under its id, and gone with its number. */
const followSql = ({ kind, table, number, name, shop }: (typeof LINKED)[number]) => `
create or replace function device_link_of_${table}() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.${number} is not distinct from old.${number} and new.${name} = old.${name}
    and new.${shop} = old.${shop} and new.is_deleted = old.is_deleted then
    return null;
  end if;
  if new.is_deleted = 1 or new.${number} is null or tg_op = 'UPDATE' and new.${number} is distinct from old.${number}
  then
    delete from device_key where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.${number} is not null then
    insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state, create_user, update_user)
    values (new.id, new.tenant_id, '${kind}', new.${number}, new.${name}, new.${shop}, 'offline', new.create_user,
      new.update_user)
    on conflict (tenant_id, id) do update set name = excluded.name, shop_id = excluded.shop_id;
  end if;
  return null;
end $$;
drop trigger if exists device_link_follows on ${table};
create trigger device_link_follows after insert or update on ${table}
  for each row execute function device_link_of_${table}();`

/** Digests of the devices' secrets, of 256 random bits each: a fast digest protects them as well as a slow one. */
export const deviceKeyTable = defineTable({
  name: 'device_key',
  tenancy: 'tenant',
  secret: ['digest', 'previous_digest'],
  primaryKey: ['tenant_id', 'link_id'],
  columns: {
    tenant_id: 'text not null',
    link_id: 'bigint not null',
    digest: 'text not null',
    previous_digest: 'text',
    previous_until: 'timestamptz(3)',
  },
  after: Object.fromEntries(LINKED.map((one) => [`device_link_of_${one.table}`, followSql(one)])),
})

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export const newDeviceSecret = (): string => randomBytes(32).toString('base64url')

/** Makes a new secret and answers it: the only time it can be read. The one before stays valid for a day. */
export async function issueDeviceKey(db: Db, linkId: string): Promise<string> {
  const secret = newDeviceSecret()
  await keepDeviceKey(db, linkId, secret)
  return secret
}

/** Takes a secret that another family of credentials has issued to the same device. */
export const keepDeviceKey = (db: Db, linkId: string, secret: string): Promise<number> =>
  db.run(sql`insert into device_key as k (tenant_id, link_id, digest)
    values (${db.tenantId}, ${linkId}, ${digestOf(secret)})
    on conflict (tenant_id, link_id) do update set digest = excluded.digest, previous_digest = k.digest,
    previous_until = now() + interval '24 hours'`)

export const dropDeviceKey = (db: Db, linkId: string): Promise<number> =>
  db.run(sql`delete from device_key where tenant_id = ${db.tenantId} and link_id = ${linkId}`)

type Credentials = { clientId: string; username: string; password: string }
type Known = { tenantId: string; digest: string; previousDigest: string | null; isGrace: boolean }

/**
 * Whose device signs in: its tenant, or undefined for one that is not what it says. The name of its session is its
 * number, so that nobody takes another's. `pool` sees all tenants: a device says its number before its tenant is known.
 */
export async function authenticateDevice(
  pool: Pool,
  { clientId, username, password }: Credentials,
): Promise<{ tenantId: string } | undefined> {
  if (username !== clientId || !password) return undefined
  const statement = sql`select l.tenant_id as "tenantId", k.digest, k.previous_digest as "previousDigest",
      coalesce(k.previous_until > now(), false) as "isGrace"
    from device_link l join device_key k on k.tenant_id = l.tenant_id and k.link_id = l.id
    where l.client_id = ${clientId}`
  const { rows } = await pool.query<Known>(statement.text, statement.values)
  const digest = digestOf(password)
  const found = rows.find(
    (one) =>
      same(one.digest, digest) || (one.isGrace && one.previousDigest !== null && same(one.previousDigest, digest)),
  )
  return found && { tenantId: found.tenantId }
}

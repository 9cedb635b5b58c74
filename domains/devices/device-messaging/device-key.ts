import type { Pool } from 'pg'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import {
  digestSecret,
  SECRET_DIGEST_COLUMNS,
  HIDDEN_DIGEST_COLUMNS,
  selectDigestsSql,
  matchesSecretDigest,
  newSecret,
  replaceDigestSql,
  type SecretDigests,
} from '#kit/server/security/index.ts'

/** Resources whose rows with a device number get a device link (device-link.resource.ts). */
const LINKED = [
  { kind: 'gateway', table: 'basic_shop_info', number: 'client_id', name: 'shop_name', shop: 'id' },
  { kind: 'power', table: 'epa_gateway', number: 'client_id', name: 'name', shop: 'shop_id' },
  { kind: 'register', table: 'cash_register', number: 'sn', name: 'name', shop: 'shop_id' },
] as const

/**
 * Trigger that keeps a row's device link in step, whoever writes the row (form, import, demo data): same id, created,
 * renamed and deleted with the number.
 */
const followSql = ({ kind, table, number, name, shop }: (typeof LINKED)[number]) => `
create or replace function device_link_of_${table}() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.${number} is not distinct from old.${number} and new.${name} = old.${name}
    and new.${shop} = old.${shop} and new.is_deleted = old.is_deleted then
    return null;
  end if;
  if new.is_deleted = 1 or new.${number} is null or tg_op = 'UPDATE' and new.${number} is distinct from old.${number}
  then
    delete from device_key where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_holder where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.${number} is not null then
    if exists (select 1 from device_link l where l.tenant_id = new.tenant_id and l.client_id = new.${number}
      and l.id <> new.id) then
      raise unique_violation using constraint = '${table}_uq_${number}';
    end if;
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

/** Digests of the devices' secrets, and the triggers that keep device links in step. */
export const deviceKeyTable = defineTable({
  name: 'device_key',
  tenancy: 'tenant',
  secret: HIDDEN_DIGEST_COLUMNS,
  primaryKey: ['tenant_id', 'link_id'],
  columns: {
    tenant_id: 'text not null',
    link_id: 'bigint not null',
    ...SECRET_DIGEST_COLUMNS,
  },
  after: Object.fromEntries(LINKED.map((one) => [`device_link_of_${one.table}`, followSql(one)])),
})

/**
 * Which device owns a number at the broker when several tenants use it: the first that signed in with it. The broker
 * knows sessions only by number, so a second device would disconnect the first. Deleting the link frees the number.
 */
export const clientIdHolderTable = defineTable({
  name: 'device_holder',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'link_id'],
  columns: { tenant_id: 'text not null', link_id: 'bigint not null', client_id: 'text not null' },
  indexes: { device_holder_uq_client_id: '(client_id)' },
  // A broker with its own user list does not ask the server at sign-in. There a device owns its number once it has been
  // online.
  after: {
    device_link_held: `
create or replace function device_link_held() returns trigger language plpgsql as $$ begin
  insert into device_holder (tenant_id, link_id, client_id) values (new.tenant_id, new.id, new.client_id)
    on conflict do nothing;
  return null;
end $$;
drop trigger if exists device_link_held on device_link;
create trigger device_link_held after update of state on device_link
  for each row when (new.state = 'online' and old.state is distinct from 'online' and new.client_id is not null)
  execute function device_link_held();`,
  },
})

/** Returns whether a device of another tenant owns the number. Revoking here must not cut that device off. */
export const isClientIdOfOtherTenant = (db: Db, clientId: string): Promise<boolean> =>
  db.acrossTenants('a number at the broker belongs to the device that signed in first', async (all) =>
    Boolean(
      await all.one(sql`select 1 as "is" from device_holder where client_id = ${clientId}
        and tenant_id <> ${db.tenantId}`),
    ),
  )

/** Creates a new secret and returns it, the only time it can be read. The previous one stays valid for a day. */
export async function issueDeviceKey(db: Db, linkId: string): Promise<string> {
  const secret = newSecret()
  await saveDeviceKey(db, linkId, secret)
  return secret
}

/** Stores a secret that was issued elsewhere for the same device. The previous one stays valid for a day. */
export const saveDeviceKey = (db: Db, linkId: string, secret: string): Promise<number> =>
  db.run(sql`insert into device_key as k (tenant_id, link_id, digest)
    values (${db.tenantId}, ${linkId}, ${digestSecret(secret)})
    on conflict (tenant_id, link_id) do update set ${replaceDigestSql}`)

export const deleteDeviceKey = (db: Db, linkId: string): Promise<number> =>
  db.run(sql`delete from device_key where tenant_id = ${db.tenantId} and link_id = ${linkId}`)

type Credentials = { clientId: string; username: string; password: string }
type StoredDeviceKey = SecretDigests & {
  tenantId: string
  id: string
  hasKey: boolean
  isHeld: boolean
  isHolder: boolean | null
}
/** Why a device was not let in: the keys of `link_refusal`. */
type Refusal = 'wrongKey' | 'noKey' | 'wrongName'

/**
 * Authenticates a device and returns its tenant, or undefined when it is refused. The session's name has to be the
 * device number, so that no device takes another's session. When several tenants use a number, only the first device
 * that signed in is accepted. `pool` has to see all tenants, as the tenant is not known before.
 */
export async function authenticateDevice(
  pool: Pool,
  { clientId, username, password }: Credentials,
): Promise<{ tenantId: string } | undefined> {
  if (!clientId) return undefined
  if (username !== clientId) return noteRefused(pool, clientId, 'wrongName')
  const statement = sql`select l.tenant_id as "tenantId", k.digest is not null as "hasKey", ${selectDigestsSql},
      h.link_id is not null as "isHeld", h.tenant_id = l.tenant_id and h.link_id = l.id as "isHolder", l.id::text
    from device_link l left join device_key k on k.tenant_id = l.tenant_id and k.link_id = l.id
    left join device_holder h on h.client_id = l.client_id
    where l.client_id = ${clientId}`
  const { rows } = await pool.query<StoredDeviceKey>(statement.text, statement.values)
  const found = rows.find((one) => one.hasKey && matchesSecretDigest(one, password))
  if (found?.isHolder || (found && !found.isHeld && (await takeNumber(pool, found, clientId))))
    return { tenantId: found.tenantId }
  if (found) return noteRefused(pool, clientId, 'wrongKey', found.tenantId)
  // A failed attempt is recorded for the owner of the number, or for every tenant that uses it while nobody owns it.
  const owners = rows.some(({ isHeld }) => isHeld) ? rows.filter(({ isHolder }) => isHolder) : rows
  if (owners.length) await noteRefused(pool, clientId, owners.some(({ hasKey }) => hasKey) ? 'wrongKey' : 'noKey')
  return undefined
}

/** Claims a number for the first device that signs in with it. Returns whether this device owns it. */
async function takeNumber(pool: Pool, { tenantId, id }: StoredDeviceKey, clientId: string): Promise<boolean> {
  const statement = sql`insert into device_holder (tenant_id, link_id, client_id)
    select tenant_id, id, client_id from device_link where tenant_id = ${tenantId} and id = ${id}
      and client_id = ${clientId}
    on conflict do nothing returning 1`
  if ((await pool.query(statement.text, statement.values)).rowCount) return true
  const held = sql`select 1 from device_holder where client_id = ${clientId} and tenant_id = ${tenantId}
    and link_id = ${id}`
  return (await pool.query(held.text, held.values)).rows.length > 0
}

/**
 * Records on the device link why a sign-in was refused, for the tenant that is given, else for the owner of the number
 * or everybody who uses it while nobody owns it. At most once in 30 seconds. Always returns undefined.
 */
async function noteRefused(pool: Pool, clientId: string, reason: Refusal, tenantId?: string): Promise<undefined> {
  const statement = sql`update device_link l set refused_time = now(), refused_reason = ${reason}
    where client_id = ${clientId} and (refused_time is null or refused_time < now() - interval '30 seconds')
      and (tenant_id = ${tenantId ?? null} or ${tenantId ?? null}::text is null and not exists (select 1
        from device_holder h where h.client_id = l.client_id and (h.tenant_id, h.link_id) <> (l.tenant_id, l.id)))`
  await pool.query(statement.text, statement.values)
}

/** Returns whether a device of this tenant still has a secret. A revoked device loses its rights while connected. */
export async function hasDeviceKey(pool: Pool, tenantId: string, clientId: string): Promise<boolean> {
  const statement = sql`select 1 as "has" from device_link l join device_key k on k.tenant_id = l.tenant_id
    and k.link_id = l.id where l.tenant_id = ${tenantId} and l.client_id = ${clientId}`
  return (await pool.query(statement.text, statement.values)).rows.length > 0
}

import { f } from '#kit/resource/index.ts'
import { localize } from '#kit/base/localized-text.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { signIn } from '#domains/platform/identity/api.ts'
import { findClientById } from '#domains/platform/system/api.ts'
import { demoSignIns, demoTenants } from './cast.ts'

/**
 * Whether this server has the demo data. Only then are passwords printed at the start and people signed in with one
 * click.
 */
const isDemo = (services: Services) => services.config.story === 'demo'

const tenantNames = new Map<string, string>(demoTenants.map((one) => [one.tenantId, one.tenantName]))

/** Returns the users of the demo data without their passwords; empty on other servers. */
const people = async ({ services, lang }: Call) =>
  isDemo(services)
    ? demoSignIns.map(({ tenantId, account, name, who }) => ({
        tenantId,
        account,
        name,
        tenantName: tenantNames.get(tenantId) ?? '',
        who: localize(who, lang),
      }))
    : []

const input = {
  tenantId: f.text({ label: { zh: '租户编号', en: 'Tenant' }, required: true, max: 12 }),
  account: f.text({ label: { zh: '账号', en: 'Account' }, required: true, max: 45 }),
}

/**
 * Signs in as a user of the demo data, with that user's original password: it fails once the password was changed.
 * Without the demo data the call answers `no_such_path`.
 */
async function enter(call: Call<{ tenantId: string | null; account: string | null }>) {
  const {
    services,
    request,
    input: { tenantId, account },
  } = call
  const one = isDemo(services)
    ? demoSignIns.find((person) => person.tenantId === tenantId && person.account === account)
    : undefined
  if (!one) throw new Refused('no_such_path')
  const known = await services.access.clientOf(request.headers.authorization as string | undefined)
  const client = known && (await findClientById(services, known.clientId))
  if (!client) throw new Refused('bad_client')
  return signIn(services, {
    client,
    tenantId: one.tenantId,
    account: one.account,
    md5: md5Hex(one.password),
    place: {},
    from: request,
  })
}

const title = (zh: string, en: string) => ({ zh, en })

export const demoSignInRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/story/people',
    title: title('演示人员', 'Demo users'),
    can: { open: 'shown on the sign-in page with the demo data; empty elsewhere' },
    tx: false,
    handle: people,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/story/enter',
    title: title('演示登录', 'Sign in as a demo user'),
    can: { open: 'with the demo data alone: its passwords are printed at the start' },
    tx: false,
    rawResponse: true,
    perMinute: 60,
    input,
    handle: enter,
  }),
]

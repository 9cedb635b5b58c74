import { expect } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { menuId } from '#kit/server/mount/menus.ts'
import type { ServedResource } from '#kit/server/module/module.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { basic, type Answer, type TestRequest, type CastMember } from '#tests/support/server.ts'
import { OF_CLERK, TRADE } from './test-calls.ts'
import { testProduct, type Product } from './test-product.ts'

/** Requests with which each route of the product answers, for tests that call all routes. */

/** Values of path parameters. */
const NAMED: Record<string, string> = {
  resource: 'goodInfo',
  id: '1',
  key: 'table',
  ticket: 'none',
  source: 'nowhere',
  deviceId: '3'.repeat(20),
  channelId: '3'.repeat(20),
  taskId: '3'.repeat(20),
}
export const address = (path: string) =>
  path.replace(/:(\w+)/g, (_all, name: string) => NAMED[name]!).replace('*', 'none.png')

export let product: Product
export let people: Record<'administrator' | 'tenantAdministrator' | 'clerk' | 'boss' | 'stranger', CastMember>
/** Ids of the first tenant's rows, by resource or role. */
export const here: Record<string, string> = {}

export const call = (
  who: CastMember | undefined,
  method: string,
  path: string,
  ask: TestRequest = {},
): Promise<Answer> => product.server.call(who, (method === 'ANY' ? 'GET' : method) as 'GET', address(path), ask)

async function aUser(account: string, roleId: string): Promise<string> {
  const { admin } = product.tenants[0]!
  const made = await call(admin, 'POST', '/api/blade-user/submit', {
    body: {
      account,
      password: 'Secret-123',
      password2: 'Secret-123',
      name: account,
      realName: '周小云',
      userType: 1,
      roleId,
      deptId: here.dept,
      postId: here.post,
    },
  })
  expect(made.body).toMatchObject({ code: 200 })
  const { data } = await call(admin, 'GET', '/api/blade-user/page', { query: { account } })
  return data.records[0].id as string
}

/** Starts the product with two tenants, users of each role and a row of each resource. */
export async function openProduct(): Promise<void> {
  product = await testProduct()
  const { tenants, samples, world } = product
  const { admin, tenantId } = tenants[0]!
  for (const { resource, ...served } of world.registry.served.values())
    here[resource.name] = String(
      (await samples.someRow({ resource, ...served }, resource.tenancy === 'platform' ? '000000' : tenantId))!.id,
    )

  // Rows in the boss's future shop, and of the merchant with this shop only.
  for (const name of ['audioConf', 'printerInfo']) here[name] = await fresh(name, { shopId: here.basicShopInfo })
  // A view of the tenant's own; those delivered with the product are open to everybody.
  here.reportView = await fresh('reportView', {})
  here.merchantInfo = await fresh('merchantInfo', { shopIds: [here.basicShopInfo] })
  for (const name of ['bill', 'payApply']) here[name] = await fresh(name, { merchantId: here.merchantInfo })
  const role = await call(admin, 'POST', '/api/blade-system/role/submit', {
    body: { roleName: '店员', roleAlias: 'clerk', sort: 5 },
  })
  expect(role.body).toMatchObject({ code: 200 })

  const roles = (await call(admin, 'GET', '/api/blade-system/role/list')).data as {
    id: string
    roleAlias: string
    children?: any[]
  }[]
  here.clerkRole = roles
    .flatMap((one) => [one, ...((one.children ?? []) as typeof roles)])
    .find((one) => one.roleAlias === 'clerk')!.id

  const granted = await call(admin, 'POST', '/api/blade-system/role/grant', {
    body: {
      roleIds: [here.clerkRole],
      menuIds: OF_CLERK.map(menuId),
      dataScopeIds: [],
      apiScopeIds: [],
    },
  })

  expect(granted.body).toMatchObject({ code: 200 })
  here.clerk = await aUser('zhou', here.clerkRole)
  here.other = await aUser('other', here.clerkRole)
  // The boss has every business permission, in the shop of the rows above.
  const bossRole = await call(admin, 'POST', '/api/blade-system/role/submit', {
    body: { roleName: '店主', roleAlias: 'boss', sort: 4 },
  })
  expect(bossRole.body).toMatchObject({ code: 200 })

  const bossRoleId = String(bossRole.data.id)
  await product.world.services.unit({ tenantId }, (db) =>
    db.run(sql`with recursive down as (select id from menu where is_deleted = 0 and code = any(${TRADE}) union
      select m.id from menu m join down on m.parent_id = down.id where m.is_deleted = 0)
      insert into role_menu (tenant_id, role_id, menu_id) select ${tenantId}, ${bossRoleId}, id from down
      on conflict do nothing`),
  )
  here.boss = await aUser('lin', bossRoleId)

  expect(
    (
      await call(admin, 'POST', '/api/shop/basicShopInfo/staff', {
        body: { id: here.basicShopInfo, staff: [{ userId: here.boss, position: 'boss' }] },
      })
    ).body,
  ).toMatchObject({ code: 200 })
  people = {
    administrator: product.admin,
    boss: await product.server.as('lin', { tenantId, password: 'Secret-123' }),
    tenantAdministrator: admin,
    clerk: await product.server.as('zhou', { tenantId, password: 'Secret-123' }),
    stranger: tenants[1]!.admin,
  }
}

/** Creates a tenant to be removed. */
async function aTenant(): Promise<string> {
  const made = await call(product.admin, 'POST', '/api/blade-system/tenant/submit', {
    body: { tenantName: 'Short-lived' },
  })
  return made.data.id as string
}

/** Opens another session of a user, to be ended. */
export async function anotherSession(who: keyof typeof people): Promise<CastMember> {
  const { account, tenantId } = people[who]
  const { body } = await call(undefined, 'POST', '/api/blade-auth/oauth/token', {
    query: {
      tenantId,
      username: account,
      password: md5Hex(who === 'clerk' || who === 'boss' ? 'Secret-123' : 'admin'),
      grant_type: 'password',
      scope: 'all',
      type: 'account',
    },
    headers: { authorization: basic('script', 'script_secret'), 'tenant-id': tenantId },
  })
  return { ...people[who], token: body.access_token, refreshToken: body.refresh_token }
}

const FORM = 'multipart/form-data; boundary=x'
const upload = async () => ({
  body:
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: ' +
    'text/plain\r\n\r\nwords\r\n--x--\r\n',
  headers: { 'content-type': FORM },
})
/** Switches files back to the disk, away from the store of a sample row. */
const toDisk = () =>
  product.world.services.unit({ crossTenantReason: 'a test turns sample stores off' }, (db) =>
    db.run(sql`update oss set status = 1`),
  )

/** Inserts a row for a route that changes its state; `fixed` are stored values. */
export async function fresh(name: string, fixed: Record<string, unknown> = {}): Promise<string> {
  return String(
    (await product.samples.insert(product.world.registry.served.get(name)!, product.tenants[0]!.tenantId, fixed)).id,
  )
}

const RUNNING = { status: 0, openKey: null }

/** Inserts an open case in the boss's shop that nobody has taken and that refers to no event, visit or refund. */
const waitingCase = () =>
  fresh('guardCase', {
    shopId: here.basicShopInfo,
    status: 0,
    takerId: null,
    eventId: null,
    visitId: null,
    refundId: null,
  })

/** Creates a power gateway in the shop. Returns its client id. */
const gatewayNumber = async (): Promise<string> => {
  const { data } = await call(product.tenants[0]!.admin, 'GET', '/api/shop/epaGateway/detail', {
    query: { id: await fresh('epaGateway', { shopId: here.basicShopInfo }) },
  })
  return data.clientId as string
}

/** The requests for actions, by route. */
export const QUESTIONS: Record<string, (who: CastMember) => TestRequest | Promise<TestRequest>> = {
  'POST /api/blade-system/role/grant': () => ({
    body: {
      roleIds: [here.clerkRole],
      menuIds: OF_CLERK.map(menuId),
      dataScopeIds: [],
      apiScopeIds: [],
    },
  }),
  'GET /api/blade-system/data-scope/meaning': () => ({ query: { resourceCode: 'shoppingOrder' } }),
  'GET /api/blade-system/api-scope/shut-out': () => ({ query: { scopePath: '/api/shop/goodInfo/list' } }),
  'GET /api/blade-system/role/tree-by-id': () => ({ query: { roleId: here.clerkRole } }),
  'GET /api/blade-system/role/select': () => ({ query: { userId: here.clerk } }),
  'GET /api/blade-system/menu/role-tree-keys': () => ({ query: { roleIds: here.clerkRole } }),
  'GET /api/blade-system/menu/top-tree-keys': () => ({ query: { topMenuIds: here.topMenu } }),
  'POST /api/blade-system/topmenu/grant': () => ({ body: { topMenuIds: [here.topMenu], menuIds: [menuId('notice')] } }),
  'GET /api/blade-system/dept/select': () => ({ query: { userId: here.clerk } }),
  'GET /api/blade-system/menu/lazy-list': () => ({ query: { parentId: '0' } }),
  'GET /api/blade-system/menu/lazy-menu-list': () => ({ query: { parentId: '0' } }),
  'GET /api/blade-system/dict/child-list': () => ({ query: { parentId: here.dict, current: 1, size: 10 } }),
  'GET /api/blade-system/dict/tree': () => ({ query: { code: 'DICT' } }),
  'GET /api/blade-system/dict/dictionary': () => ({ query: { code: 'sex' } }),
  'GET /api/blade-system/dict-biz/child-list': () => ({ query: { parentId: here.dictBiz, current: 1, size: 10 } }),
  'GET /api/blade-system/dict-biz/tree': () => ({ query: { code: 'DICT' } }),
  'GET /api/blade-system/dict-biz/dictionary': () => ({ query: { code: 'notice' } }),
  'GET /api/blade-system/region/lazy-tree': () => ({ query: { parentCode: '00' } }),
  'GET /api/blade-system/dept/lazy-list': () => ({ query: { parentId: '0' } }),
  'GET /api/blade-system/dept/lazy-tree': () => ({ query: { parentId: '0' } }),
  'POST /api/blade-system/tenant/setting': () => ({
    query: { ids: here.tenant, accountNumber: 50, expireTime: '2099-01-01 00:00:00' },
  }),
  'GET /api/blade-develop/code/parts': () => ({ query: { id: here.code } }),
  'GET /api/blade-develop/datasource/select': () => ({}),
  'POST /api/blade-develop/datasource/test': async () => ({ query: { id: await fresh('datasource', { port: 22 }) } }),
  'GET /api/blade-develop/model-prototype/select': () => ({ query: { modelId: here.model } }),
  'POST /api/blade-develop/model-prototype/submit-list': () => ({ body: [] }),
  'GET /api/blade-develop/model/model-prototype': async () => ({
    query: { modelId: await fresh('model', { datasourceId: null }) },
  }),
  'GET /api/blade-develop/model/select': () => ({}),
  'GET /api/blade-develop/model/surroundings': () => ({}),
  'GET /api/blade-develop/model/table-info': async () => ({
    query: { modelId: await fresh('model', { datasourceId: null }) },
  }),
  'GET /api/blade-develop/model/table-list': async () => ({
    query: { datasourceId: await fresh('datasource', { port: 22 }) },
  }),
  'POST /api/blade-system/tenant/datasource': () => ({
    query: { tenantId: product.tenants[0]!.tenantId, datasourceId: '' },
  }),
  'GET /api/blade-system/tenant/info': () => ({ query: { domain: 'https://nobody.example.com' } }),
  'GET /api/blade-system/tenant/package-detail': () => ({ query: { tenantId: here.tenant } }),
  'POST /api/blade-system/tenant/package-setting': () => ({
    query: { tenantId: product.tenants[0]!.tenantId, packageId: '' },
  }),
  'GET /api/blade-resource/sms/enable': () => ({ query: { id: here.sms } }),
  'GET /api/blade-resource/oss/enable': () => ({ query: { id: here.oss } }),
  'POST /api/blade-resource/sms/enable': () => ({ query: { id: here.sms } }),
  'POST /api/blade-resource/oss/enable': () => ({ query: { id: here.oss } }),
  'POST /api/blade-resource/oss/endpoint/put-file-attach': () => toDisk().then(upload),
  'GET /api/blade-system/tenant/find-by-name': () => ({ query: { name: 'Northern' } }),
  'GET /api/blade-system/dict/dictionary-tree': () => ({ query: { code: 'sex' } }),
  'GET /api/blade-system/dict-biz/dictionary-tree': () => ({ query: { code: 'notice' } }),
  'GET /api/blade-system/region/lazy-list': () => ({ query: { parentCode: '00' } }),
  'GET /api/blade-system/user/detail': () => ({ query: { id: here.other } }),
  'POST /api/blade-resource/sms/endpoint/send-message': () => ({
    query: { code: 'none', phones: '13800000000', params: '{}' },
  }),
  'POST /api/blade-resource/oss/endpoint/put-file': () => toDisk().then(upload),
  'POST /api/blade-user/update': () => ({ body: { id: here.other, realName: '周小雨' } }),
  'POST /api/blade-user/update-platform': () => ({ query: { userId: here.other, userType: 1, userExt: '{}' } }),
  'GET /api/blade-user/platform-detail': () => ({ query: { id: here.other } }),
  'POST /api/blade-user/reset-password': () => ({ query: { userIds: here.other } }),
  'POST /api/blade-user/update-password': () => ({
    query: { oldPassword: md5Hex('wrong'), newPassword: md5Hex('Better-123'), newPassword1: md5Hex('Better-123') },
  }),
  'POST /api/blade-user/update-info': () => ({ body: { name: 'somebody' } }),
  'POST /api/blade-user/grant': () => ({ query: { userIds: here.other, roleIds: here.clerkRole } }),
  'POST /api/blade-user/unlock': () => ({ query: { userIds: here.other } }),
  'GET /api/blade-user/search/worker': () => ({ query: { key: 'o' } }),
  'POST /api/blade-user/register-guest': () => ({
    query: {
      tenantId: product.tenants[0]!.tenantId,
      name: 'x',
      account: 'guest',
      password: 'Secret-123',
      oauthId: '1',
    },
  }),
  'POST /api/blade-auth/oauth/token': () => ({
    query: {
      tenantId: '000000',
      username: 'admin',
      password: md5Hex('admin'),
      grant_type: 'password',
      scope: 'all',
      type: 'account',
    },
    headers: { authorization: basic('script', 'script_secret') },
  }),
  'POST /api/blade-auth/oauth/token/refresh': async () => ({
    query: { refresh_token: (await anotherSession('clerk')).refreshToken },
    headers: { authorization: basic('script', 'script_secret') },
  }),
  'POST /api/blade-auth/oauth/logout': () => ({
    body: [{ url: '/', time: '2026-01-01 00:00:00', type: 'error', message: 'x', stack: '', info: '' }],
  }),
  'GET /api/shop/goodType/tree': () => ({ query: { shopId: here.basicShopInfo } }),
  'GET /api/shop/customerVisitLog/record/list': () => ({ query: { id: here.customerVisitLog } }),
  'GET /api/shop/customerVisitLog/whole': () => ({ query: { id: here.customerVisitLog } }),
  'GET /api/shop/door/doorStatus': () => ({ query: { clientId: 'GW-nobody' } }),
  'GET /api/shop/door/entryCode': () => ({ query: { wxUserId: here.wxUser } }),
  'GET /api/shop/door/ofShop': () => ({ query: { shopId: here.basicShopInfo } }),
  'POST /api/shop/door/doorControl': () => ({ body: { clientId: 'GW-nobody', opt: 'open' } }),
  'POST /api/shop/door/focusClose': () => ({ body: { clientId: 'GW-nobody' } }),
  'GET /api/shop/joinUs/follow/list': () => ({ query: { joinId: here.joinUs } }),
  'POST /api/shop/noticeSubscribe/mine/save': () => ({ body: { cells: { offline: ['site'] }, enabled: true } }),
  'POST /api/shop/event/read': () => ({ query: { ids: here.event } }),
  'POST /api/shop/event/acknowledge': async () => ({ query: { ids: await fresh('event', { status: 0 }) } }),
  'POST /api/shop/event/resolve': async () => ({
    query: { ids: await fresh('event', { status: 0 }) },
    body: { remark: '好了' },
  }),
  'POST /api/shop/workInfo/assign': async () => ({
    query: { id: await fresh('workInfo', { status: 0 }) },
    body: { workerUserId: here.clerk },
  }),
  'POST /api/shop/workInfo/start': async () => ({ query: { id: await fresh('workInfo', { status: 1 }) } }),
  'POST /api/shop/workInfo/finish': async () => ({
    query: { id: await fresh('workInfo', { status: 2 }) },
    body: { resultRemark: '好了' },
  }),
  'POST /api/shop/workInfo/cancel': async () => ({
    query: { id: await fresh('workInfo', { status: 0 }) },
    body: { resultRemark: '算了' },
  }),
  'POST /api/shop/joinUs/follow': async () => ({
    query: { id: await fresh('joinUs', { status: 0 }) },
    body: { way: 'phone', content: '谈过' },
  }),
  'POST /api/shop/joinUs/sign': async () => ({
    query: { id: await fresh('joinUs', { status: 1 }) },
    body: { content: '签了' },
  }),
  'POST /api/shop/joinUs/reject': async () => ({
    query: { id: await fresh('joinUs', { status: 0 }) },
    body: { content: '算了' },
  }),
  'POST /api/shop/unmannedLog/start': async () => ({ body: { shopId: await fresh('basicShopInfo') } }),
  'POST /api/shop/unmannedLog/end': async () => ({ query: { id: await fresh('unmannedLog', { status: 1 }) } }),
  'POST /api/shop/priceTag/update': () => ({ body: { id: here.priceTag, goodId: here.goodInfo, template: 'member' } }),
  'GET /api/shop/priceTag/getTagIdByUpc': () => ({ query: { upc: 'G1' } }),
  'POST /api/shop/priceTag/updateUpcTag': async () => ({
    body: {
      tagId: 'CALLS-1',
      upc: (await call(product.tenants[0]!.admin, 'GET', '/api/shop/goodInfo/detail', { query: { id: here.goodInfo } }))
        .data.upc,
      shopId: here.basicShopInfo,
    },
  }),
  'POST /api/shop/balanceLog/adjust': async () => ({
    body: { wxUserId: await fresh('wxUser'), change: '1.00', reason: '补偿' },
  }),
  'POST /api/shop/integralLog/adjust': async () => ({
    body: { wxUserId: await fresh('wxUser'), change: 1, reason: '补偿' },
  }),
  'POST /api/shop/rechargeLog/recharge': async () => ({
    body: { wxUserId: await fresh('wxUser'), amount: '10.00', payType: 'cash', reason: '现金' },
  }),
  'POST /api/shop/rechargeLog/refund': async () => ({
    query: {
      id: await fresh('rechargeLog', {
        wxUserId: await fresh('wxUser', { balance: 100_000 }),
        payStatus: 1,
        amount: 1000,
        giftAmount: 0,
        giftIntegral: 0,
        refundAmount: 0,
      }),
    },
    body: { amount: '1.00', reason: '退' },
  }),
  'POST /api/shop/annualFeeLog/buy': async () => ({
    body: { wxUserId: await fresh('wxUser'), confId: await fresh('annualFeeConf', { enabled: true }), payType: 'cash' },
  }),
  'POST /api/shop/vipInfo/renew': async () => ({
    query: { id: await fresh('vipInfo', { status: 1 }) },
    body: { months: 1, reason: '补偿' },
  }),
  'POST /api/shop/vipInfo/cancel': async () => ({
    query: { id: await fresh('vipInfo', { status: 1 }) },
    body: { reason: '退会' },
  }),
  'GET /api/shop/guardCase/beside': () => ({ query: { id: here.guardCase } }),
  'POST /api/shop/guardCase/claim': async () => ({ body: { id: await waitingCase() } }),
  'POST /api/shop/guardCase/release': async () => ({ body: { id: await waitingCase() } }),
  'POST /api/shop/guardCase/handOver': async () => ({ body: { id: await waitingCase(), userId: here.other } }),
  'POST /api/shop/guardCase/finish': async () => ({ body: { id: await waitingCase(), outcome: 'harmless' } }),
  'POST /api/shop/guardCase/say': async () => ({
    body: { id: await waitingCase(), phraseId: await fresh('guardPhrase', { enabled: true }) },
  }),
  'POST /api/shop/guardShift/end': async () => ({
    query: { id: await fresh('guardShift', { ...RUNNING, userId: here.boss, shopIds: [here.basicShopInfo] }) },
  }),
  'GET /api/shop/guardShift/handover': async () => ({
    query: { id: await fresh('guardShift', { ...RUNNING, shopIds: [here.basicShopInfo] }) },
  }),
  'POST /api/shop/blackList/lift': async () => ({
    query: { id: await fresh('blackList') },
    body: { liftReason: '误会' },
  }),
  'POST /api/shop/wxUserMerge/merge': async () => ({
    body: { sourceId: await fresh('wxUser'), targetId: await fresh('wxUser'), reason: '同一人', isSamePerson: true },
  }),
  'GET /api/shop/basicShopInfo/select': () => ({ query: { key: '' } }),
  'POST /api/shop/discountConf/public': async () => ({ query: { id: await fresh('discountConf', { status: 0 }) } }),
  'GET /api/shop/aiTask/targetList': () => ({ query: { shopId: here.basicShopInfo, targetType: 'camera' } }),
  'POST /api/shop/printerInfo/save': async () => ({
    body: await product.samples.draft(
      product.world.registry.served.get('printerInfo')!.resource,
      product.tenants[0]!.tenantId,
    ),
  }),
  'POST /api/shop/epaDevice/removeAll': async () => ({ query: { clientId: await gatewayNumber() } }),
  'POST /api/supplier/supplierOrder/update': async () => ({
    body: { id: await fresh('supplierOrder', { status: 0 }), remark: '请上午送' },
  }),
  'GET /api/merchant/merchantInfo/select': () => ({ query: { key: '' } }),
  'GET /api/meituan/meituanGeneralAttrs/list1': () => ({ query: { tagId: '200001' } }),
}

export const lastOf = ({ path }: { path: string }) => path.split('/').at(-1)!

/** Returns the request for a route: the one above, or a standard one by the end of its path. */
export async function question(row: { name: string; path: string }, who: CastMember | undefined): Promise<TestRequest> {
  const own = QUESTIONS[row.name]
  if (own) return own(who!)
  const last = lastOf(row)
  if (/^(list2?|page)$/.test(last)) return { query: { current: 1, size: 5 } }
  const base = row.path.replace(/\/(web\/boss\/)?\w+$/, '')
  const served = [...product.world.registry.served.values()].find(({ resource }) => resource.path === base)
  return (served && (await standardQuestions[last]?.(served))) ?? {}
}

/** Returns the tenant whose rows of a resource are used. */
const tenantOf = ({ tenancy }: ServedResource['resource']): string =>
  tenancy === 'platform' ? '000000' : product.tenants[0]!.tenantId

/** Arguments of the standard calls of a resource, by the end of their path. */
const standardQuestions: Record<string, (served: ServedResource) => Promise<TestRequest>> = {
  submit: async ({ resource }) => {
    const tenantId = tenantOf(resource)
    const draft = await product.samples.draft(resource, tenantId)
    // Where rows are added by another route, `submit` edits; fields set at creation must stay the same.
    if (resource.createPath)
      for (const key of Object.keys(draft)) if (resource.fields[key].form === 'add') delete draft[key]
    const changed = resource.createPath ? { id: here[resource.name] } : {}
    return { body: { ...draft, ...changed, ...(resource.tenancy === 'platform' ? {} : { tenantId }) } }
  },
  remove: async (served) => {
    const { resource, hooks } = served
    if (resource.name === 'tenant') return { query: { ids: await aTenant() } }
    const written = resource.writer === 'office' && !hooks.key ? await submitted(resource) : undefined
    if (written) return { query: { ids: written } }
    const row = await product.samples.insert(served, tenantOf(resource))
    return { query: { ids: row[hooks.key ?? 'id'] } }
  },
  detail: async (served) => {
    const { resource, hooks } = served
    if (!hooks.key) return { query: { id: here[resource.name] } }
    const row = await product.samples.insert(served, tenantOf(resource))
    return { query: { [hooks.key]: row[hooks.key] } }
  },
}

/** Submits a row as a person would. Returns its id, undefined when refused. */
async function submitted(resource: ServedResource['resource']): Promise<string | undefined> {
  const body = await product.samples.draft(resource, tenantOf(resource))
  const { data } = await product.world.ask(product.cast.owner, 'POST', `${resource.path}/submit`, { body })
  return data?.id
}

import { keptDays } from '#kit/resource/index.ts'
import { defineModule, todoOf, serve } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { presentSystemWords } from '#kit/server/system-words.ts'
import { settleProvider } from '#domains/platform/files/api.ts'
import { askJob, askSweepJob } from './actions.job.ts'
import { retryPlatformAction } from './actions.ts'
import { thirdpartyDictionaries, UNCONFIRMED } from './dictionaries.ts'
import { registerPlatformRefunds } from './platform-refund.ts'
import { parityCode, parityRoutes } from './parity.server.ts'
import { registerDeliveryUpdates } from './own-delivery.ts'
import { pollJob, shopOrdersJob } from './polls.ts'
import { compareAllJob } from './compare.job.ts'
import { platformDifference } from './platform-difference.resource.ts'
import { ELE_CALLBACK } from './ele-callback.ts'
import { platformParams } from './params.ts'
import { safetyJob, safetySweepJob } from './safety.ts'
import { platformAsk } from './platform-ask.resource.ts'
import { platformStep } from './platform-step.ts'
import { stockFigureRoute } from './stock-figure.server.ts'
import { shopJob, syncSweepJob, waitsJob } from './sync.job.ts'
import { thirdApi } from './third-api.resource.ts'

/** Its address and its secret go by other names than those of other providers, whose clients people know. */
const { baseUrl: endpoint, appSecret: secretKey } = thirdApi.fields
const asProvider = { ...thirdApi, fields: { ...thirdApi.fields, endpoint, secretKey } }

/** Where a platform that asks for one address of an account tells what happens there. */
const addressFor = (services: Services, { tenantId, id, platform }: Record<string, unknown>): string | undefined =>
  platform === 'ele' ? `${services.config.publicUrl}${ELE_CALLBACK}/${String(tenantId)}-${String(id)}` : undefined

const thirdApiServer = serve(thirdApi, {
  present: (wire, rows, { services }) =>
    wire.forEach((row, at) => void (row.callbackUrl ||= addressFor(services, rows[at]!) ?? '')),
  beforeSave: (draft, was, call) => {
    // Never shown, so an empty one means unchanged.
    const provider: Parameters<typeof settleProvider>[1] = {
      endpoint: draft.baseUrl,
      secretKey: draft.appSecret || undefined,
    }
    settleProvider(asProvider, provider, was && { endpoint: was.baseUrl, secretKey: was.appSecret }, call)
    if (provider.mayBeInside !== undefined) draft.mayBeInside = provider.mayBeInside
    if (provider.secretKey) Object.assign(draft, { appSecret: provider.secretKey, hasSecret: true })
    else if (was) delete draft.appSecret
  },
})

const platformAskServer = serve(platformAsk, {
  present: (wire, _rows, { lang }) => presentSystemWords(wire, 'failReason', lang),
  actions: { askNow: (ask, _input, { db }) => retryPlatformAction(db, ask) },
})

export default defineModule({
  name: 'sales/delivery-platforms',
  label: { zh: '开放平台', en: 'Open platforms' },
  resources: [thirdApiServer, platformAskServer, serve(platformDifference)],
  tables: [platformStep],
  jobs: [
    waitsJob,
    shopJob,
    syncSweepJob,
    askJob,
    askSweepJob,
    pollJob,
    shopOrdersJob,
    compareAllJob,
    safetyJob,
    safetySweepJob,
  ],
  params: platformParams,
  retention: [
    {
      table: 'platform_difference',
      param: keptDays(
        'platformDifferenceDays',
        180,
        { zh: '外卖商品差异保留天数', en: 'Listing discrepancy retention (days)' },
        30,
      ),
    },
  ],
  routes: [...parityRoutes, stockFigureRoute],
  todos: [
    todoOf(platformAsk, {
      key: 'platformUnconfirmed',
      label: { zh: '外卖平台未确认的操作', en: 'Unconfirmed delivery platform commands' },
      icon: 'api',
      tone: 'warn',
      query: () => UNCONFIRMED,
      can: 'platformAsk_askNow',
      line: { title: 'platformOrderNo', notes: ['platform', 'kind', 'state'], time: 'createTime' },
    }),
  ],
  menus: [
    {
      code: parityCode,
      under: 'order',
      label: { zh: '外卖商品核对', en: 'Listing parity' },
      path: '/order/platformParity',
      icon: 'sync',
      sort: 58,
    },
  ],
  dictionaries: thirdpartyDictionaries,
  start: async (services) => {
    registerPlatformRefunds(services)
    registerDeliveryUpdates(services)
  },
})

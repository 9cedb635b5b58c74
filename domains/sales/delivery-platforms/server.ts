import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule, defineTodo, serve } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { prepareProviderDraft } from '#domains/platform/files/api.ts'
import { platformActionCall } from './actions.job.ts'
import { retryPlatformAction } from './actions.ts'
import { thirdpartyDictionaries, UNCONFIRMED_ACTIONS_FILTER } from './dictionaries.ts'
import { registerPlatformRefunds } from './platform-refund.ts'
import { listingParityPermission, parityRoutes } from './parity.server.ts'
import { registerDeliveryUpdates } from './own-delivery.ts'
import { pollPlatformOrdersJob, pollShopOrdersJob } from './polls.ts'
import { compareAllPlatformShopsJob } from './compare.job.ts'
import { platformDifference } from './platform-difference.resource.ts'
import { ELE_CALLBACK_PATH } from './ele-callback.ts'
import { platformParams } from './params.ts'
import { pauseUnsafeShopsJob, pauseUnsafeShopsSweepJob } from './safety.ts'
import { platformAsk } from './platform-ask.resource.ts'
import { platformSyncProgressTable } from './platform-step.ts'
import { stockExplanationRoute } from './stock-figure.server.ts'
import { syncShopJob, requeuePlatformSyncJob, enqueueShopSyncsJob } from './sync.job.ts'
import { thirdApi } from './third-api.resource.ts'

/**
 * The resource with address and secret under the names `prepareProviderDraft` expects; API clients know them as
 * `baseUrl` and `appSecret`.
 */
const { baseUrl: endpoint, appSecret: secretKey } = thirdApi.fields
const asProvider = { ...thirdApi, fields: { ...thirdApi.fields, endpoint, secretKey } }

/** The webhook address of an account, for the platform that has one per account; undefined otherwise. */
const addressFor = (services: Services, { tenantId, id, platform }: Record<string, unknown>): string | undefined =>
  platform === 'ele' ? `${services.config.publicUrl}${ELE_CALLBACK_PATH}/${String(tenantId)}-${String(id)}` : undefined

const thirdApiServer = serve(thirdApi, {
  present: (wire, rows, { services }) =>
    wire.forEach((row, at) => void (row.callbackUrl ||= addressFor(services, rows[at]!) ?? '')),
  beforeSave: (draft, was, call) => {
    // Never shown, so an empty one means unchanged.
    const provider: Parameters<typeof prepareProviderDraft>[1] = {
      endpoint: draft.baseUrl,
      secretKey: draft.appSecret || undefined,
    }
    prepareProviderDraft(asProvider, provider, was && { endpoint: was.baseUrl, secretKey: was.appSecret }, call)
    if (provider.mayBeInside !== undefined) draft.mayBeInside = provider.mayBeInside
    if (provider.secretKey) Object.assign(draft, { appSecret: provider.secretKey, hasSecret: true })
    else if (was) delete draft.appSecret
  },
})

const platformAskServer = serve(platformAsk, {
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'failReason', lang),
  actions: { askNow: (ask, _input, { db }) => retryPlatformAction(db, ask) },
})

export default defineModule({
  name: 'sales/delivery-platforms',
  label: { zh: '开放平台', en: 'Open platforms' },
  resources: [thirdApiServer, platformAskServer, serve(platformDifference)],
  tables: [platformSyncProgressTable],
  jobs: [
    enqueueShopSyncsJob,
    syncShopJob,
    requeuePlatformSyncJob,
    ...platformActionCall.jobs,
    pollPlatformOrdersJob,
    pollShopOrdersJob,
    compareAllPlatformShopsJob,
    pauseUnsafeShopsJob,
    pauseUnsafeShopsSweepJob,
  ],
  params: platformParams,
  retention: [
    {
      table: 'platform_difference',
      param: defineRetentionParam(
        'platformDifferenceDays',
        180,
        { zh: '外卖商品差异保留天数', en: 'Listing discrepancy retention (days)' },
        30,
      ),
    },
  ],
  routes: [...parityRoutes, stockExplanationRoute],
  todos: [
    defineTodo(platformAsk, {
      key: 'platformUnconfirmed',
      label: { zh: '外卖平台未确认的操作', en: 'Unconfirmed delivery platform commands' },
      icon: 'api',
      tone: 'warn',
      query: () => UNCONFIRMED_ACTIONS_FILTER,
      can: 'platformAsk_askNow',
      line: { title: 'platformOrderNo', notes: ['platform', 'kind', 'state'], time: 'createTime' },
    }),
  ],
  menus: [
    {
      code: listingParityPermission,
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

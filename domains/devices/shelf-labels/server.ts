import './refusals.ts'
import './silent-tags.ts'
import { defineModule, defineTodo, serve } from '#kit/server/module/module.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { tagDictionaries } from './dictionaries.ts'
import { goodTagsExtension } from './goods-tags.server.ts'
import { priceTagLog, TAG_LOG_RETENTION_PARAM } from './price-tag-log.resource.ts'
import { priceTag } from './price-tag.resource.ts'
import { registerTagHandlers } from './tag-reports.ts'
import { pushTagsByProviderJob, pushTagsJob, maintainTagsJob } from './tags.job.ts'
import { tagAccount } from './tag-account.resource.ts'
import { tagAccountServer } from './tag-account.server.ts'
import { tagTemplateServer } from './tag-template.server.ts'
import { priceTagRoutes, priceTagServer } from './price-tag.server.ts'

registerTagHandlers()

export default defineModule({
  name: 'devices/shelf-labels',
  label: { zh: '价签', en: 'ESL tags' },
  resources: [
    priceTagServer,
    serve(priceTagLog, { present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'resultMessage', lang) }),
    tagTemplateServer,
    tagAccountServer,
  ],
  extends: [goodTagsExtension],
  jobs: [pushTagsJob, pushTagsByProviderJob, maintainTagsJob],
  routes: priceTagRoutes,
  retention: [{ table: 'price_tag_log', param: TAG_LOG_RETENTION_PARAM }],
  dictionaries: tagDictionaries,
  todos: [
    defineTodo(tagAccount, {
      key: 'tagAccountsAway',
      label: { zh: '价签接入中断', en: 'ESL connections down' },
      icon: 'tags',
      tone: 'bad',
      query: () => ({ state: 'away,refused' }),
      line: { title: 'name', notes: ['shopId', 'state'], time: 'seenTime' },
    }),
    defineTodo(priceTag, {
      key: 'tagsFailed',
      label: { zh: '价签更新失败', en: 'ESL updates failed' },
      icon: 'tags',
      tone: 'bad',
      query: () => ({ status: '3' }),
      line: { title: 'goodId', notes: ['tagId', 'shopId', 'failReason'], time: 'lastSyncTime' },
    }),
  ],
})

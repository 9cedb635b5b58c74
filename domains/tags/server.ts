import './refusals.ts'
import { defineRoom, needOf, serve } from '#kit/server/room.ts'
import { tagDictionaries } from './dictionaries.ts'
import { goodTags } from './goods-tags.server.ts'
import { priceTagLog, tagLogDays } from './price-tag-log.resource.ts'
import { priceTag } from './price-tag.resource.ts'
import { hearTags } from './hear-tags.ts'
import { pushTagsJob, watchTagsJob } from './tags.job.ts'
import { priceTagRoutes, priceTagServer } from './price-tag.server.ts'

hearTags()

export default defineRoom({
  name: 'tags',
  label: { zh: '价签', en: 'Price tags' },
  resources: [priceTagServer, serve(priceTagLog)],
  extends: [goodTags],
  jobs: [pushTagsJob, watchTagsJob],
  routes: priceTagRoutes,
  forgets: [{ table: 'price_tag_log', param: tagLogDays }],
  dictionaries: tagDictionaries,
  needs: [
    needOf(priceTag, {
      key: 'tagsFailed',
      label: { zh: '价签更新失败', en: 'Price tags that failed' },
      icon: 'tags',
      tone: 'bad',
      query: () => ({ status: '3' }),
      line: { title: 'goodId', notes: ['tagId', 'shopId'], time: 'lastSyncTime' },
    }),
  ],
})

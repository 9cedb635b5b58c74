import { createResourcePage } from '#kit/web/page/page.tsx'
import { priceTagLog } from './price-tag-log.resource.ts'

const words = {
  intro: {
    zh: '价签每次绑定、解绑和更新的记录，由系统写入',
    en: 'Every time an ESL tag was linked, unlinked or updated. Written by the system.',
  },
}

/** List of the price tags' log. */
export default createResourcePage(priceTagLog, { intro: words.intro })

import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { tagAccount } from './tag-account.resource.ts'

const words = {
  intro: {
    zh: '不经网关的价签：门店的 OpenEPaperLink 基站，或厂家的云平台；新绑定的价签自动归到门店的接入账号',
    en:
      'ESL tags not updated by a gateway: an OpenEPaperLink access point in the store or a vendor ' +
      'cloud. New tags are assigned to the connection of the store.',
  },
  what: { zh: '接入', en: 'Connection' },
  cloud: { zh: '云平台', en: 'Cloud' },
  accessPoint: { zh: '基站', en: 'Access point' },
  more: { zh: '其他', en: 'Other' },
}

const layout: FormLayoutOf<typeof tagAccount> = [
  { title: words.what, fields: ['tenantId', 'name', 'shopId', 'brand', 'endpoint', 'enabled'] },
  { title: words.cloud, fields: ['user', 'secretKey', 'storeNo'], when: ({ brand }) => brand === 'cloudEsl' },
  { title: words.accessPoint, fields: ['font'], when: ({ brand }) => brand === 'openEPaperLink' },
  { title: words.more, fields: ['remark'] },
]

export default createResourcePage(tagAccount, { intro: words.intro, formLayout: layout })

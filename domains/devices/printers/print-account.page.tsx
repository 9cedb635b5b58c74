import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { createTenantPage } from '#kit/web/page/for-tenant.tsx'
import { printAccount } from './print-account.resource.ts'

type Row = WireRow<typeof printAccount>

const words = {
  intro: {
    zh: '打印机厂家的开放平台账号；添加云打印机前先在这里填好',
    en: 'Accounts on the open platforms of printer vendors. Required before you add a cloud printer.',
  },
  what: { zh: '账号', en: 'Account' },
  reports: { zh: '打印结果回调', en: 'Vendor callback' },
  more: { zh: '其他', en: 'Other' },
}

const layout: FormLayoutOf<typeof printAccount> = [
  { title: words.what, fields: ['tenantId', 'name', 'brand', 'user', 'secretKey', 'endpoint', 'enabled'] },
  { title: words.reports, fields: ['callbackOn', 'callbackFlag', 'callbackKey'] },
  { title: words.more, fields: ['remark'] },
]

const cells = { callbackUrl: ({ value }: CellProps<Row>) => <CopyableText text={String(value)} /> }

export default createTenantPage(printAccount, { intro: words.intro, formLayout: layout, cells })

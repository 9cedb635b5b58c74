import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { createTenantPage } from '#kit/web/page/for-tenant.tsx'
import { oss } from './oss.resource.ts'
import { ProviderEnableSwitch } from './provider.panel.tsx'

type Row = WireRow<typeof oss>

const words = {
  intro: {
    zh: '上传的文件存到哪里；没有启用的配置时存入本机',
    en: 'Where uploaded files are stored. If none is active, they are stored on this machine.',
  },
  enable: {
    zh: '启用后新文件存入这个空间，其他配置随之停用；已有文件不受影响。',
    en: 'New files are stored there and other providers are deactivated. Existing files are not affected.',
  },
  disable: {
    zh: '停用后新文件存入本机；已有文件不受影响。',
    en: 'New files are stored on this machine. Existing files are not affected.',
  },
  what: { zh: '配置', en: 'Provider' },
  keys: { zh: '密钥', en: 'Keys' },
  more: { zh: '其他', en: 'Other' },
}

const { enable: _enable, disable: _disable, ...actions } = oss.actions
const shown = {
  ...oss,
  actions,
  fields: { ...oss.fields, status: { ...oss.fields.status, width: 130, sortable: false } },
  list: {
    ...oss.list,
    columns: ['ossCode', 'status', 'category', 'endpoint', 'bucketName', 'accessKey', 'createTime'],
  },
}

const layout: FormLayoutOf<typeof shown> = [
  { title: words.what, fields: ['tenantId', 'category', 'ossCode', 'endpoint', 'bucketName', 'region'] },
  { title: words.keys, fields: ['accessKey', 'secretKey', 'appId'] },
  { title: words.more, fields: ['remark'] },
]

export default createTenantPage(shown, {
  intro: words.intro,
  formLayout: layout,
  cells: {
    status: ({ row }: CellProps<Row>) => (
      <ProviderEnableSwitch
        resource={oss}
        row={row}
        name={String(row.ossCode)}
        enableText={words.enable}
        disableText={words.disable}
      />
    ),
  },
})

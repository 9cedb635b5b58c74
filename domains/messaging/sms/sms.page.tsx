import type { WireRow } from '#kit/resource/index.ts'
import { useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import {
  tenantCellOverrides,
  renderTenantFilter,
  tenantInputOverrides,
  useTenantAwareResource,
} from '#kit/web/page/for-tenant.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { ProviderEnableSwitch } from '#domains/platform/files/ui.ts'
import { sms } from './sms.resource.ts'
import { SmsTestDrawer, SEND_TEST_LABEL } from './sms-test.panel.tsx'

type Row = WireRow<typeof sms>

const words = {
  intro: {
    zh: '短信由哪家服务商发送；同一时间只有一个在使用',
    en: 'Which provider sends text messages. Only one is active at a time.',
  },
  enable: {
    zh: '启用后短信由它发送，其他配置随之停用。',
    en: 'All messages are sent by this provider and the others are deactivated.',
  },
  what: { zh: '配置', en: 'Provider' },
  keys: { zh: '密钥', en: 'Keys' },
  more: { zh: '其他', en: 'Other' },
}

const { enable: _enable, ...actions } = sms.actions
const shown = {
  ...sms,
  actions,
  fields: { ...sms.fields, status: { ...sms.fields.status, width: 130, sortable: false } },
  list: {
    ...sms.list,
    columns: ['smsCode', 'tenantId', 'status', 'category', 'templateId', 'signName', 'accessKey', 'createTime'],
  },
}

const layout: FormLayoutOf<typeof shown> = [
  { title: words.what, fields: ['tenantId', 'category', 'smsCode', 'templateId', 'signName', 'regionId', 'endpoint'] },
  { title: words.keys, fields: ['accessKey', 'secretKey'] },
  { title: words.more, fields: ['remark'] },
]
const cells = {
  ...tenantCellOverrides,
  status: ({ row }: CellProps<Row>) => (
    <ProviderEnableSwitch resource={sms} row={row} name={String(row.smsCode)} enableText={words.enable} />
  ),
}

export default function SmsPage() {
  const [testing, setTesting] = useState<Row>()
  const resource = useTenantAwareResource(shown)
  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          head: renderTenantFilter,
          inputs: tenantInputOverrides,
          formLayout: layout,
          cells,
          rowActions: (row) => [{ key: 'test', label: SEND_TEST_LABEL, icon: 'send', run: () => setTesting(row) }],
        }}
      />
      {testing && <SmsTestDrawer row={testing} onClose={() => setTesting(undefined)} />}
    </>
  )
}

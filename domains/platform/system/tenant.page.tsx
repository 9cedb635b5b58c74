import type { WireRow } from '#kit/resource/index.ts'
import { Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { webSettings } from '#kit/web/base/settings.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { useNow, RelativeTime } from '#kit/web/parts/relative-time.tsx'
import type { TenantCreationResult } from './tenant-made.panel.tsx'
import { tenant } from './tenant.resource.ts'

type Row = WireRow<typeof tenant>

const QuotaPanel = lazy(() => import('./tenant-quota.panel.tsx'))
const TenantMade = lazy(() => import('./tenant-made.panel.tsx'))
const LeavePanel = lazy(() => import('./tenant-leave.panel.tsx'))
const ChoicePanel = lazy(() => import('./tenant-choice.panel.tsx'))

const words = {
  intro: {
    zh: '使用本系统的企业。新增后自动建立它的管理员账号，编号、账号和初始密码显示一次',
    en:
      'Businesses that use this system. Adding one creates its administrator account. Number, account ' +
      'and initial password are shown once.',
  },
  contact: { zh: '联系方式', en: 'Contact' },
  look: { zh: '登录页', en: 'Sign-in page' },
  quota: { zh: '授权配置', en: 'License settings' },
  package: { zh: '产品包配置', en: 'Package settings' },
  datasource: { zh: '数据源配置', en: 'Data source settings' },
  archive: { zh: '导出全部数据', en: 'Export all data' },
  leave: { zh: '彻底删除', en: 'Permanently delete' },
  unlimited: { zh: '不限', en: 'No limit' },
  accounts: { zh: '{count} 个', en: '{count}' },
  forever: { zh: '永久', en: 'Never' },
  expired: { zh: '已过期', en: 'Expired' },
  everything: { zh: '全部菜单', en: 'All menus' },
  practice: { zh: '练习', en: 'Practice' },
}

function NameCell({ value, row }: CellProps<Row>) {
  const t = useLocalize()
  return (
    <>
      {String(value ?? '')}{' '}
      {row.isPractice === true && (
        <Tag className="kit-tag" color="warning" icon={<Icon name="experiment" />}>
          <span data-tip={t(tenant.fields.isPractice.help!)}>{t(words.practice)}</span>
        </Tag>
      )}
    </>
  )
}

function QuotaCell({ value }: CellProps<Row>) {
  const t = useLocalize()
  const count = Number(value ?? -1)
  return count > 0 ? (
    <span className="kit-number">{t(words.accounts, { count })}</span>
  ) : (
    <span className="kit-quiet">{t(words.unlimited)}</span>
  )
}

function ExpiryCell({ value }: CellProps<Row>) {
  const t = useLocalize()
  const now = useNow()
  const at = String(value ?? '')
  if (!at) return <span className="kit-quiet">{t(words.forever)}</span>
  const isOver = new Date(`${at.replace(' ', 'T')}+08:00`).getTime() <= now
  return isOver ? (
    <Tag className="kit-tag" color="error" icon={<Icon name="close-circle" />}>
      <span data-tip={at}>{t(words.expired)}</span>
    </Tag>
  ) : (
    <RelativeTime at={at} />
  )
}

function PackageCell({ value, row }: CellProps<Row>) {
  const t = useLocalize()
  return row.packageName || value ? (
    <>{String(row.packageName || value)}</>
  ) : (
    <span className="kit-quiet">{t(words.everything)}</span>
  )
}

const shown = {
  ...tenant,
  // The quota has its own dialog: the generated one would delete existing expiry dates.
  actions: {},
  fields: {
    ...tenant.fields,
    tenantName: { ...tenant.fields.tenantName, width: 210 },
    linkman: { ...tenant.fields.linkman, width: 90 },
    contactNumber: { ...tenant.fields.contactNumber, width: 130 },
    accountNumber: { ...tenant.fields.accountNumber, width: 100 },
    expireTime: { ...tenant.fields.expireTime, width: 110 },
    packageId: { ...tenant.fields.packageId, width: 110 },
  },
  list: {
    ...tenant.list,
    columns: [
      'tenantName',
      'tenantId',
      'linkman',
      'contactNumber',
      'accountNumber',
      'expireTime',
      'packageId',
      'domain',
      'createTime',
    ],
  },
}

const layout: FormLayoutOf<typeof shown> = [
  { fields: ['tenantName'] },
  { title: words.contact, fields: ['linkman', 'contactNumber', 'address'] },
  { title: words.look, fields: ['domain', 'backgroundUrl'] },
]

const cells = {
  tenantName: (props: CellProps<Row>) => <NameCell {...props} />,
  tenantId: ({ value }: CellProps<Row>) => <CopyableText text={String(value ?? '')} />,
  accountNumber: (props: CellProps<Row>) => <QuotaCell {...props} />,
  expireTime: (props: CellProps<Row>) => <ExpiryCell {...props} />,
  packageId: (props: CellProps<Row>) => <PackageCell {...props} />,
}

const isManagement = (row: Row) => row.tenantId === webSettings.defaultTenant

type Setting = 'package' | 'datasource'
type Leaving = { kind: 'archive' | 'leave'; row: Row }

export default function TenantPage() {
  const renew = useInvalidateResource()
  const [made, setMade] = useState<TenantCreationResult>()
  const [quota, setQuota] = useState<Row[]>()
  const [choice, setChoice] = useState<{ kind: Setting; row: Row }>()
  const [leaving, setLeaving] = useState<Leaving>()
  const { rowActions, many } = useTenantActions(setQuota, setChoice, setLeaving)
  const close = (done: boolean) => {
    setQuota(undefined)
    setChoice(undefined)
    if (done) void renew(tenant)
  }
  return (
    <>
      <ResourcePage
        resource={shown}
        page={{
          intro: words.intro,
          cells,
          formLayout: layout,
          rowActions,
          onAdded: setMade,
          transformActions: (all, row) => (isManagement(row) ? all.filter(({ key }) => key !== 'remove') : all),
          many,
        }}
      />
      <Suspense>
        {quota && <QuotaPanel rows={quota} onClose={close} />}
        {made && <TenantMade answer={made} onClose={() => setMade(undefined)} />}
        {leaving && <LeavePanel {...leaving} onClose={() => setLeaving(undefined)} />}
        {choice && <ChoicePanel kind={choice.kind} title={words[choice.kind]} row={choice.row} onClose={close} />}
      </Suspense>
    </>
  )
}

type Choice = { kind: Setting; row: Row }

/** Actions that set what a tenant may use, limited to the user's permissions; none for the platform's own tenant. */
function useTenantActions(
  onQuota: (rows: Row[]) => void,
  onChoice: (choice: Choice) => void,
  onLeave: (leaving: Leaving) => void,
) {
  const may = {
    setting: useHasPermission('tenant_setting'),
    package: useHasPermission('tenant_package'),
    datasource: useHasPermission('tenant_datasource'),
  }
  const leave = useLeaving(onLeave)
  const hasSources = !!useResourcePath('datasource')
  const quota = (rows: Row[]): RowAction => ({
    key: 'quota',
    label: words.quota,
    icon: 'setting',
    run: () => onQuota(rows),
  })
  const choose = (kind: Setting, icon: NonNullable<RowAction['icon']>, row: Row): RowAction => ({
    key: kind,
    label: words[kind],
    icon,
    run: () => onChoice({ kind, row }),
  })
  const rowActions = (row: Row): RowAction[] =>
    isManagement(row)
      ? []
      : [
          ...(may.setting ? [quota([row])] : []),
          ...(may.package ? [choose('package', 'appstore', row)] : []),
          ...(may.datasource && hasSources ? [choose('datasource', 'database', row)] : []),
          ...leave(row),
        ]
  const many = (rows: Row[]): RowAction[] => {
    const others = rows.filter((row) => !isManagement(row))
    return others.length ? [quota(others)] : []
  }
  return { rowActions, many: may.setting ? many : undefined }
}

/** Actions to export a tenant's data and to request its deletion. */
function useLeaving(onLeave: (leaving: Leaving) => void) {
  const may = { archive: useHasPermission('tenant_archive'), leave: useHasPermission('tenantremoval_ask') }
  const action = (kind: Leaving['kind'], row: Row, look: Pick<RowAction, 'icon' | 'danger'>): RowAction[] =>
    may[kind] ? [{ key: kind, label: words[kind], run: () => onLeave({ kind, row }), ...look }] : []
  return (row: Row): RowAction[] => [
    ...action('archive', row, { icon: 'download' }),
    ...action('leave', row, { icon: 'delete', danger: true }),
  ]
}

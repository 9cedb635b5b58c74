import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useUrlFlag } from '#kit/web/live/use-query-flag.ts'
import { cashRegister } from './cash-register.resource.ts'
import './registers.css'

type Row = WireRow<typeof cashRegister>

const IssueDialog = lazy(() => import('./issue.panel.tsx'))
const ScreenshotDialog = lazy(() => import('./screenshot-dialogs.tsx'))

const words = {
  intro: {
    zh: '新增后签发密钥，填入收银机即可联网；状态由心跳更新',
    en: 'After adding a register, issue credentials and enter them in the register. Its status follows the heartbeat.',
  },
  issue: { zh: '签发密钥', en: 'Issue credentials' },
  screen: { zh: '截屏', en: 'Screenshot' },
  renew: { zh: '更换密钥', en: 'Rotate credentials' },
  on: { zh: '在线', en: 'Online' },
  off: { zh: '离线', en: 'Offline' },
  seconds: { zh: '秒', en: 's' },
  all: { zh: '全部收银机', en: 'All registers' },
  show: { zh: '显示', en: 'Show' },
  never: { zh: '从未连接', en: 'Never connected' },
  noKey: { zh: '未签发密钥', en: 'No credentials issued' },
  skewed: { zh: '时钟偏差较大，销售时间可能不准', en: 'Large clock drift. Sale times may be wrong.' },
}

const IN_USE = 1
const SKEW_MAX = 60

function OnlineCell({ value, row }: CellProps<Row>) {
  const t = useLocalize()
  if (Number(row.status) !== IN_USE) return <span className="kit-quiet">—</span>
  if (!row.keyIssuedTime && !row.lastHeartbeat)
    return (
      <span className="register-off">
        <Icon name="key" /> {t(words.noKey)}
      </span>
    )
  return (
    <span
      className="register-state"
      data-on={value === true}
      data-tip={value === true ? undefined : String(row.lastHeartbeat || t(words.never))}
    >
      <i aria-hidden />
      {t(value === true ? words.on : words.off)}
    </span>
  )
}

function SkewCell({ value }: CellProps<Row>) {
  const t = useLocalize()
  if (value === '' || value === undefined) return <span className="kit-quiet">—</span>
  const seconds = Number(value)
  const isOff = Math.abs(seconds) > SKEW_MAX
  return (
    <span className={`kit-number ${isOff ? 'register-off' : ''}`} data-tip={isOff ? t(words.skewed) : undefined}>
      {isOff && <Icon name="warning" />} {String(value).replace('-', '−')} {t(words.seconds)}
    </span>
  )
}

const UnsentCell = ({ value }: CellProps<Row>) => (
  <span className={`kit-number ${Number(value) ? 'register-off' : ''}`}>{String(value)}</span>
)

const cells = {
  online: (props: CellProps<Row>) => <OnlineCell {...props} />,
  clockSkew: (props: CellProps<Row>) => <SkewCell {...props} />,
  unsent: (props: CellProps<Row>) => <UnsentCell {...props} />,
}

/** Registers with their state, and actions for credentials and screenshots. */
export default function CashRegisterPage() {
  const t = useLocalize()
  const [isOffline, setOffline] = useUrlFlag('isOffline')
  const mayIssue = useHasPermission('cashRegister_issue')
  const mayTake = useHasPermission('cashRegister_screenshot')
  const [issuing, setIssuing] = useState<Row>()
  const [taking, setTaking] = useState<Row>()
  const rowActions = (row: Row): RowAction[] => {
    const all: (RowAction & { may: boolean })[] = [
      {
        key: 'credentials',
        label: row.keyIssuedTime ? words.renew : words.issue,
        icon: 'key',
        may: mayIssue,
        run: () => setIssuing(row),
      },
      { key: 'screen', label: words.screen, icon: 'picture', may: mayTake, run: () => setTaking(row) },
    ]
    return Number(row.status) === IN_USE ? all.filter(({ may }) => may) : []
  }
  // The standard action would run without showing the credentials it returns.
  const transformActions = (list: RowAction[]) => list.filter(({ key }) => key !== 'issue')

  return (
    <>
      <ResourcePage
        resource={cashRegister}
        page={{
          intro: words.intro,
          cells,
          rowActions,
          transformActions,
          fixed: isOffline ? { isOffline: 'true' } : undefined,
          isNarrowed: isOffline,
          head: () => (
            <Segmented
              className="register-tabs"
              value={isOffline ? 'offline' : 'all'}
              onChange={(next) => setOffline(next === 'offline')}
              aria-label={t(words.show)}
              options={[
                { value: 'all', label: t(words.all) },
                { value: 'offline', label: t(words.off) },
              ]}
            />
          ),
        }}
      />
      <Suspense>{taking && <ScreenshotDialog register={taking} onClose={() => setTaking(undefined)} />}</Suspense>
      <Suspense>{issuing && <IssueDialog register={issuing} onClose={() => setIssuing(undefined)} />}</Suspense>
    </>
  )
}

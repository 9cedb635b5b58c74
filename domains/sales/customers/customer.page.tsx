import type { WireRow } from '#kit/resource/index.ts'
import { Button, Dropdown, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link, useParams } from 'react-router'
import { useSlotContents } from '#kit/web/base/page-slots.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { useSession } from '#kit/web/session/session.ts'
import { RowHistoryButton } from '#kit/web/detail/history-button.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { usePersonalDataReveal } from '#kit/web/detail/open-personal.tsx'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { balanceLog, integralLog } from './account-log.resource.ts'
import { wxUser } from './wx-user.resource.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { blackList } from './black-list.resource.ts'
import { CustomerAvatar, LevelTag } from './customer-bits.tsx'
import type { ActionName } from './customer-actions.panel.tsx'
import { rechargeLog } from './recharge-log.resource.ts'
import { CustomerFigures } from './customer-figures.tsx'
import { CustomerHistories } from './customer-histories.tsx'
import { isReferenceSet, words } from './customer-words.ts'
import { customerActionsSlot, type CustomerPageAction } from './slots.ts'
import './members.css'

type Row = WireRow<typeof wxUser>

const CustomerAction = lazy(() => import('./customer-actions.panel.tsx'))

/** One customer with everything about them: what they are worth, what they hold, and every history of theirs. */
export default function CustomerPage() {
  const { id = '' } = useParams()
  const t = useLocalize()
  const { data: customer, error, refetch } = useRowDetail(wxUser, id)
  useTabTitle(customer && String(customer.nickname || t(wxUser.label)))
  const [history, setHistory] = useState<string>()
  if (!customer)
    return (
      <div className="kit-page member-page">
        {error ? (
          <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
        ) : (
          <div className="member-card">
            <span className="kit-skeleton" style={{ width: '40%', height: 56 }} />
          </div>
        )}
      </div>
    )
  return (
    <div className="kit-page member-page">
      <Head customer={customer} />
      <CustomerFigures customer={customer} onShow={setHistory} />
      <CustomerHistories key={id} customer={customer} chosen={history} onChoose={setHistory} />
    </div>
  )
}

function Head({ customer: given }: { customer: Row }) {
  const t = useLocalize()
  const { row: customer, bar } = usePersonalDataReveal(wxUser, given)
  const [action, setAction] = useState<string>()
  const acts = useSlotContents(customerActionsSlot) ?? []
  const ActiveDialog = acts.find(({ key }) => key === action)?.Dialog
  const isClosed = isReferenceSet(customer.mergedInto)

  return (
    <header className="member-card member-head">
      <CustomerAvatar row={customer} />
      <div className="member-who">
        <h1>{String(customer.nickname || t(wxUser.label))}</h1>
        <p>
          <LevelTag row={customer} />
          <Blocked customerId={String(customer.id)} />
          {isReferenceSet(customer.vipEndTime) && Number(customer.vipLevel) > 0 && (
            <span className="kit-quiet">{t(words.until, { time: String(customer.vipEndTime).slice(0, 10) })}</span>
          )}
          {isReferenceSet(customer.phone) && <span className="kit-number">{String(customer.phone)}</span>}
          <span className="kit-quiet">
            {t(words.since)} {String(customer.createTime).slice(0, 10)}
          </span>
        </p>
        {isReferenceSet(customer.remark) && <p className="kit-quiet">{String(customer.remark)}</p>}
        {bar}
      </div>
      {isClosed ? (
        <RowHistoryButton resource={wxUser} row={customer} size="large" />
      ) : (
        <Actions customer={customer} acts={acts} onAction={setAction} />
      )}
      {isClosed && (
        <p className="member-note">
          <Icon name="user-switch" />
          {t(words.closed)}{' '}
          <Link to={`/shop/wxUser/${String(customer.mergedInto)}`}>
            {String(customer.mergedIntoName || customer.mergedInto)}
          </Link>
        </p>
      )}
      <Suspense>
        {ActiveDialog ? (
          <ActiveDialog
            customer={{ id: String(customer.id), nickname: String(customer.nickname) }}
            onClose={() => setAction(undefined)}
          />
        ) : (
          action && (
            <CustomerAction name={action as ActionName} customer={customer} onClose={() => setAction(undefined)} />
          )
        )}
      </Suspense>
    </header>
  )
}

type ActionsProps = { customer: Row; acts: readonly CustomerPageAction[]; onAction: (action: string) => void }

/** Actions on a customer: recharge as a button, all others in a menu. */
function Actions({ customer, acts, onAction }: ActionsProps) {
  const t = useLocalize()
  const permissions = useSession((session) => session.permissions)
  const mayRecharge = useHasPermission('rechargeLog_recharge')
  const others: { key: string; label: LocalizedText; may: boolean; danger?: boolean }[] = [
    { key: 'fee', label: annualFeeLog.actions.buy.label, may: useHasPermission('annualFeeLog_buy') },
    { key: 'balance', label: balanceLog.actions.adjust.label, may: useHasPermission('balanceLog_adjust') },
    { key: 'points', label: integralLog.actions.adjust.label, may: useHasPermission('integralLog_adjust') },
    ...acts.map(({ key, label, code }) => ({ key, label, may: permissions[code] === true })),
    { key: 'block', label: words.block, may: useHasPermission('blackList_add'), danger: true },
    { key: 'merge', label: words.merge, may: useHasPermission('wxUserMerge_merge'), danger: true },
  ]
  const items = others.filter(({ may }) => may).map(({ key, label, danger }) => ({ key, label: t(label), danger }))
  return (
    <div className="member-actions">
      <RowHistoryButton resource={wxUser} row={customer} size="large" />
      {items.length > 0 && (
        <Dropdown autoFocus trigger={['click']} menu={{ items, onClick: ({ key }) => onAction(key) }}>
          <Button size="large" icon={<Icon name="more" />}>
            {t(words.more)}
          </Button>
        </Dropdown>
      )}
      {mayRecharge && (
        <Button size="large" type="primary" icon={<Icon name="wallet" />} onClick={() => onAction('recharge')}>
          {t(rechargeLog.actions.recharge.label)}
        </Button>
      )}
    </div>
  )
}

/** Tag in the page head when the customer is on the blacklist, with shop and reason. */
function Blocked({ customerId }: { customerId: string }) {
  const t = useLocalize()
  const path = useResourcePath(blackList.name)
  const { rows } = useResourceList(blackList, {
    inAddress: false,
    fixed: { wxUserId: customerId, standing: 'running', size: 1 },
    enabled: !!path,
  })
  const [row] = rows
  if (!row) return null
  return (
    <Tag className="kit-tag" color="error" icon={<Icon name="stop" />}>
      <span data-tip={String(row.reason)}>
        {t(words.blocked, { where: String(row.shopName || t(words.everywhere)) })}
      </span>
    </Tag>
  )
}

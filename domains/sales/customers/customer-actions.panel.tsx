import { formatAmount } from '#kit/fields/money/cents.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { useState } from 'react'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import { useLocalize, type LocalizeFunction } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { createIdempotencyKey } from '#kit/web/form/new-key.ts'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { balanceLog, integralLog } from './account-log.resource.ts'
import { wxUser } from './wx-user.resource.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { CustomerFormDialog } from './action-drawer.tsx'
import { BlockDialog } from './block-dialog.tsx'
import { rechargeConf } from './recharge-conf.resource.ts'
import { rechargeLog } from './recharge-log.resource.ts'
import { vipInfo } from './vip-info.resource.ts'
import { wxUserMerge } from './wx-user-merge.resource.ts'

type Row = WireRow<typeof wxUser>
type Offer = WireRow<typeof rechargeConf>

export type ActionName = 'recharge' | 'balance' | 'points' | 'fee' | 'merge' | 'block'

const words = {
  merge: { zh: '并入另一个账户', en: 'Merge into another account' },
  mergeSays: {
    zh: '“{name}”的余额 ¥{balance}、积分 {integral}、会员、订单和优惠券全部转到下面选择的账户，然后关闭。不能撤销。',
    en:
      'Balance of ¥{balance}, {integral} {integral|point|points}, membership, orders and coupons of ' +
      '“{name}” are moved to the account selected below. The account is then closed. This cannot be ' +
      'undone.',
  },
  offer: { zh: '充 ¥{amount}', en: '¥{amount} top-up' },
  gift: { zh: '送 ¥{amount}', en: '+ ¥{amount} bonus' },
  points: { zh: '送 {points} 积分', en: '+ {points} {points|point|points}' },
  plain: { zh: '不赠送', en: 'no bonus' },
  free: { zh: '其他金额', en: 'Other amount' },
}

/** Returns a number made once per dialog and used as idempotency key: sent again, it is booked once. */
const useNumber = (prefix: string) =>
  useState(() => `${prefix}${Date.now().toString(36)}${createIdempotencyKey().slice(0, 8)}`)[0]

type ActionProps = { customer: Row; onClose: () => void }

export default function CustomerActionDialog({ name, ...props }: ActionProps & { name: ActionName }) {
  if (name === 'recharge') return <Recharge {...props} />
  if (name === 'fee') return <AnnualFee {...props} />
  if (name === 'balance') return <Adjust {...props} ledger={balanceLog} />
  if (name === 'points') return <Adjust {...props} ledger={integralLog} />
  if (name === 'block')
    return (
      <BlockDialog
        customer={{ id: String(props.customer.id), nickname: String(props.customer.nickname) }}
        onClose={props.onClose}
      />
    )
  return <Merge {...props} />
}

/** What the customer has now, before it is changed. */
function Holds({ customer }: { customer: Row }) {
  const t = useLocalize()
  const { balance, integral } = wxUser.fields
  return (
    <p className="kit-quiet">
      {t(balance.label)} <Money value={customer.balance} /> · {t(integral.label)} {customer.integral}
    </p>
  )
}

function AnnualFee({ customer, onClose }: ActionProps) {
  const number = useNumber('AF')
  const { confId, payType, transactionNo, shopId, reason } = annualFeeLog.actions.buy.input
  return (
    <CustomerFormDialog
      customer={customer}
      title={annualFeeLog.actions.buy.label}
      path={`${annualFeeLog.path}/buy`}
      fields={{ confId, payType, transactionNo, shopId, reason }}
      given={{ wxUserId: customer.id, feeNo: number }}
      renews={[wxUser, annualFeeLog, vipInfo, balanceLog]}
      onClose={onClose}
    >
      {() => <Holds customer={customer} />}
    </CustomerFormDialog>
  )
}

function Adjust({ customer, onClose, ledger }: ActionProps & { ledger: typeof balanceLog | typeof integralLog }) {
  const { change, shopId, reason } = ledger.actions.adjust.input
  return (
    <CustomerFormDialog
      customer={customer}
      title={ledger.actions.adjust.label}
      path={`${ledger.path}/adjust`}
      fields={{ change, shopId, reason }}
      given={{ wxUserId: customer.id }}
      renews={[wxUser, ledger]}
      onClose={onClose}
    >
      {() => <Holds customer={customer} />}
    </CustomerFormDialog>
  )
}

function Merge({ customer, onClose }: ActionProps) {
  const t = useLocalize()
  const { targetId, reason, isSamePerson } = wxUserMerge.actions.merge.input
  return (
    <CustomerFormDialog
      customer={customer}
      title={words.merge}
      path={`${wxUserMerge.path}/merge`}
      fields={{ targetId, reason, isSamePerson }}
      given={{ sourceId: customer.id }}
      renews={[wxUser, wxUserMerge, balanceLog, integralLog, vipInfo]}
      danger
      onClose={onClose}
    >
      {() => (
        <p className="kit-ask">
          {t(words.mergeSays, {
            name: customer.nickname,
            balance: formatAmount(customer.balance),
            integral: customer.integral,
          })}
        </p>
      )}
    </CustomerFormDialog>
  )
}

/** Dialog for a recharge: a card for each offer. Without an offer any amount may be booked, with no gift. */
function Recharge({ customer, onClose }: ActionProps) {
  const number = useNumber('RC')
  const t = useLocalize()
  const { rows } = useResourceList(rechargeConf, { inAddress: false, fixed: { enabled: 'true', size: 20 } })
  const [offer, setOffer] = useState<Offer>()
  const { amount: sum, payType, transactionNo, shopId, reason } = rechargeLog.actions.recharge.input
  const fields: Fields = offer
    ? { payType, transactionNo, shopId, reason }
    : { amount: { ...sum, required: true }, payType, transactionNo, shopId, reason }

  return (
    <CustomerFormDialog
      key={String(offer?.id ?? '')}
      customer={customer}
      title={rechargeLog.actions.recharge.label}
      path={`${rechargeLog.path}/recharge`}
      fields={fields}
      given={{ wxUserId: customer.id, rechargeNo: number, ...(offer && { confId: offer.id }) }}
      renews={[wxUser, rechargeLog, balanceLog, integralLog]}
      onClose={onClose}
    >
      {() => (
        <>
          <Holds customer={customer} />
          <div className="member-offers">
            {rows.map((row) => (
              <button
                key={String(row.id)}
                type="button"
                aria-pressed={offer?.id === row.id}
                onClick={() => setOffer(row)}
              >
                <strong>{t(words.offer, { amount: formatAmount(row.amount) })}</strong>
                <small>{giftWords(t, row)}</small>
              </button>
            ))}
            <button type="button" aria-pressed={!offer} onClick={() => setOffer(undefined)}>
              <strong>{t(words.free)}</strong>
              <small>{t(words.plain)}</small>
            </button>
          </div>
        </>
      )}
    </CustomerFormDialog>
  )
}

const giftWords = (t: LocalizeFunction, row: Offer): string =>
  [
    Number(row.giftAmount) > 0 && t(words.gift, { amount: formatAmount(row.giftAmount) }),
    Number(row.giftIntegral) > 0 && t(words.points, { points: row.giftIntegral }),
  ]
    .filter(Boolean)
    .join(' · ') || t(words.plain)

import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { useKeyboardShortcut } from '#kit/web/base/keys.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { RowLink, useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { ShopDoorsPanel } from '#domains/devices/door-access/ui.ts'
import { CommandSteps } from '#domains/devices/device-messaging/ui.ts'
import { BlockDialog } from '#domains/sales/customers/ui.ts'
import { createRefundAction, RefundDialog, useRefundApproval } from '#domains/sales/orders/ui.ts'
import { refunds } from '#domains/sales/orders/index.ts'
import { words } from './desk-words.ts'
import { guardPhrase } from './guard-phrase.resource.ts'
import type { CaseActionRunner, CaseContext, DeskCase, TalkDownPhrase } from './use-desk.ts'

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))

type Props = { one: DeskCase; beside: CaseContext | undefined; act: CaseActionRunner }

/** Actions for the shop, the person and the money of a case; each has a keyboard shortcut. */
export function CaseActions({ one, beside, act }: Props) {
  return (
    <>
      {!one.refundId && <ShopDoorsPanel key={one.shopId} shopId={one.shopId} openKey="o" />}
      {!one.refundId && <Voice key={one.id} one={one} beside={beside} act={act} />}
      <CaseMoney one={one} />
      <Person one={one} beside={beside} />
    </>
  )
}

function Voice({ one, beside, act }: Props) {
  const t = useLocalize()
  const maySay = useHasPermission('guardCase_say')
  const path = useResourcePath(guardPhrase.name)
  const [cmdId, setCmdId] = useState('')
  if (!maySay) return null
  const speak = async ({ id }: TalkDownPhrase) => {
    setCmdId('')
    const accepted = await act<{ cmdId: string }>('say', { id: one.id, phraseId: id })
    if (accepted?.cmdId) setCmdId(accepted.cmdId)
  }
  return (
    <section className="guard-card">
      <h3>{t(words.voice)}</h3>
      {beside && !beside.phrases.length && (
        <p className="kit-quiet">
          {t(words.noPhrases)} {path && <Link to={path}>{t(words.makePhrases)}</Link>}
        </p>
      )}
      <div className="guard-phrases">
        {beside?.phrases.map((phrase, at) => (
          <Button
            key={phrase.id}
            disabled={phrase.state !== 'READY'}
            data-tip={phrase.text}
            onClick={() => void speak(phrase)}
          >
            <span>{phrase.name}</span>
            {phrase.state === 'READY' ? <kbd>{at + 1}</kbd> : <small>{t(words.notReady)}</small>}
            {phrase.state === 'READY' && <PhraseKey n={at + 1} run={() => void speak(phrase)} />}
          </Button>
        ))}
      </div>
      {cmdId && <CommandSteps key={cmdId} id={cmdId} />}
    </section>
  )
}

const phraseWords = (n: number): LocalizedText => ({
  zh: words.phrase.zh.replace('{n}', String(n)),
  en: words.phrase.en.replace('{n}', String(n)),
})

function PhraseKey({ n, run }: { n: number; run: () => void }) {
  useKeyboardShortcut(String(n), phraseWords(n), run)
  return null
}

function CaseMoney({ one }: { one: DeskCase }) {
  const mayRefund = useHasPermission('refunds_approve')
  const mayAsk = useHasPermission('refunds_add')
  if (one.refundId) return <Decide one={one} />
  return one.orderId && (mayRefund || mayAsk) ? <RefundOrder orderId={one.orderId} /> : null
}

/** Approval or rejection of a refund request, with the same dialogs as on the refund page. */
function Decide({ one }: { one: DeskCase }) {
  const t = useLocalize()
  const { data: row } = useRowDetail(refunds, one.refundId)
  const [actionRequest, setActionRequest] = useState<ActionRequest>()
  const { hindrance } = useRefundApproval()
  const may = { approve: useHasPermission('refunds_approve'), reject: useHasPermission('refunds_reject') }
  const ask = (name: 'approve' | 'reject') =>
    row && setActionRequest({ name, action: createRefundAction(name, row), rows: [row] })
  const mayApprove = may.approve && !!row && !hindrance(row)
  useKeyboardShortcut('r', words.approve, () => mayApprove && ask('approve'))
  useKeyboardShortcut('x', words.reject, () => may.reject && ask('reject'))
  return (
    <section className="guard-card">
      <h3>{t(words.refund)}</h3>
      <p>
        <Money value={one.amount} />{' '}
        <RowLink to="refunds" id={one.refundId}>
          {one.refundNo}
        </RowLink>
      </p>
      <div className="guard-pair">
        {mayApprove && (
          <Button type="primary" onClick={() => ask('approve')}>
            {t(words.approve)}
            <kbd>r</kbd>
          </Button>
        )}
        {may.reject && (
          <Button onClick={() => ask('reject')}>
            {t(words.reject)}
            <kbd>x</kbd>
          </Button>
        )}
      </div>
      <Suspense>
        {actionRequest && (
          <ActionDialog resource={refunds} asked={actionRequest} onClose={() => setActionRequest(undefined)} />
        )}
      </Suspense>
    </section>
  )
}

function RefundOrder({ orderId }: { orderId: string }) {
  const t = useLocalize()
  const [isOpen, setOpen] = useState(false)
  useKeyboardShortcut('r', words.refundOrder, () => setOpen(true))
  return (
    <section className="guard-card">
      <h3>{t(words.refund)}</h3>
      <Button icon={<Icon name="rollback" />} onClick={() => setOpen(true)}>
        {t(words.refundOrder)}
        <kbd>r</kbd>
      </Button>
      {isOpen && <RefundDialog orderId={orderId} onClose={() => setOpen(false)} />}
    </section>
  )
}

/** Default days for which a person is blocked. */
const BLOCK_DAYS = 30
const timeInDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

function Person({ one, beside }: { one: DeskCase; beside: CaseContext | undefined }) {
  const t = useLocalize()
  const mayBlock = useHasPermission('blackList_add')
  const [isBlocking, setBlocking] = useState(false)
  const { person } = beside ?? {}
  const canBlock = mayBlock && !!person && !person.blockId
  useKeyboardShortcut('b', words.block, () => canBlock && setBlocking(true))

  if (!one.visitId && !one.wxUserId) return null
  return (
    <section className="guard-card">
      <h3>{t(words.person)}</h3>
      {!person ? (
        <p className="kit-quiet">{t(words.nobody)}</p>
      ) : (
        <>
          <p>
            <RowLink to="wxUser" id={person.wxUserId}>
              {one.wxUserName || person.wxUserId}
            </RowLink>{' '}
            <span className="kit-quiet">{t(words.visits, person)}</span>
          </p>
          {person.blockId && (
            <RowLink to="blackList" id={person.blockId}>
              {t(words.isBlocked)}
            </RowLink>
          )}
          {canBlock && (
            <Button danger icon={<Icon name="stop" />} onClick={() => setBlocking(true)}>
              {t(words.block)}
              <kbd>b</kbd>
            </Button>
          )}
        </>
      )}
      {isBlocking && person && (
        <BlockDialog
          customer={{ id: person.wxUserId, nickname: one.wxUserName }}
          preset={{ shopId: one.shopId, visitId: one.visitId, reason: one.kindName, endTime: timeInDays(BLOCK_DAYS) }}
          onClose={() => setBlocking(false)}
        />
      )}
    </section>
  )
}

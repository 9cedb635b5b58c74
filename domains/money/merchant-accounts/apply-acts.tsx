import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { f, type WireRow } from '#kit/resource/index.ts'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import type { Action } from '#kit/resource/define-resource.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { APPLY_STATE } from './dictionaries.ts'
import { merchantInfo } from './merchant-info.resource.ts'
import { payApply } from './pay-apply.resource.ts'

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))

/** Action of a finished application: links shops that collect payments with its sub-merchant number. */
const bindShop: Action = {
  on: 'row',
  label: { zh: '绑定门店', en: 'Link stores' },
  confirm: {
    zh: '选中的门店从此用这个特约商户号收款',
    en: 'The selected stores collect payments with this sub-merchant ID from now on',
  },
  done: { zh: '已绑定', en: 'Linked' },
  input: { shopIds: f.refs('basicShopInfo', { label: merchantInfo.fields.shopIds.label, required: true }) },
}

/** Buttons of an application: submit it when it is complete, query its state, link shops. */
export function ApplyActs({ row, isReady }: { row: WireRow<typeof payApply>; isReady: boolean }) {
  const t = useLocalize()
  const may = useResourcePermissions(payApply)
  const mayBind = useHasPermission('payApply_bindShop')
  const renew = useInvalidateResource()
  const [actionRequest, setActionRequest] = useState<ActionRequest>()

  const acts: { name: string; action: Action; isNext: boolean; isShown: boolean }[] = [
    {
      name: 'applystatus',
      action: payApply.actions.applystatus,
      isNext: false,
      isShown: may.act('applystatus') && meetsCondition(row, payApply.actions.applystatus.enabled),
    },
    {
      name: 'apply',
      action: payApply.actions.apply,
      isNext: isReady,
      isShown: may.act('apply') && meetsCondition(row, payApply.actions.apply.enabled),
    },
    { name: 'bindShop', action: bindShop, isNext: true, isShown: mayBind && row.status === APPLY_STATE.finished },
  ]

  return (
    <>
      {acts
        .filter(({ isShown }) => isShown)
        .map(({ name, action, isNext }) => (
          <Button
            key={name}
            type={isNext ? 'primary' : 'default'}
            disabled={name === 'apply' && !isReady}
            onClick={() => setActionRequest({ name, action, rows: [row] })}
          >
            {t(action.label)}
          </Button>
        ))}
      <Suspense>
        {actionRequest && (
          <ActionDialog
            resource={payApply}
            asked={actionRequest}
            onClose={() => {
              setActionRequest(undefined)
              void renew(payApply)
            }}
          />
        )}
      </Suspense>
    </>
  )
}

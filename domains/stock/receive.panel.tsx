import type { WireRow } from '#kit/resource/index.ts'
import { Button, Modal } from 'antd'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { post } from '#kit/web/http.ts'
import { useSay } from '#kit/web/language.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { toast } from '#kit/web/parts/toast.ts'
import { useRenew } from '#kit/web/detail/use-detail.ts'
import { inputId, useForm } from '#kit/web/form/use-form.ts'
import { useLeaving } from '#kit/web/form/use-leaving.tsx'
import { useSend } from '#kit/web/form/use-send.ts'
import { goodInfo } from '#domains/goods/index.ts'
import { storageBatch } from './storage-batch.resource.ts'
import { storageLog } from './storage-log.resource.ts'

type Row = WireRow<typeof goodInfo>

const words = {
  title: { zh: '入库', en: 'Receive stock' },
  now: { zh: '现有库存 {stock}', en: '{stock} in stock now' },
  after: { zh: '入库后 {stock}', en: '{stock} after this' },
  go: { zh: '确认入库', en: 'Receive' },
  done: { zh: '已入库 {count} 件“{name}”', en: 'Received {count} of "{name}"' },
}

const { quantity, costPrice, productionDate, expiryDate, batchNo, remark } = storageBatch.fields
const fields = { quantity, expiryDate, productionDate, costPrice, batchNo, remark }

/** Takes delivered goods into stock as a batch of their own, so that what expires first leaves first. */
export default function ReceiveDialog({ good, onClose }: { good: Row; onClose: () => void }) {
  const say = useSay()
  const renew = useRenew()
  const form = useForm({ fields, mode: 'add', preset: { costPrice: good.costPrice === -1 ? '' : good.costPrice } })
  const stock = Number(good.stock ?? 0)
  const count = Number(form.values.quantity) || 0

  const { send: go, isSending } = useSend(form, async () => {
    await post(
      `${storageBatch.path}/submit`,
      { body: { ...form.payload(), goodId: good.id, shopId: good.shopId } },
      { quiet: true },
    )
    toast.success(say(words.done, { count, name: good.name }))
    await Promise.all([goodInfo, storageBatch, storageLog].map(renew))
    onClose()
  })
  const [leave, question] = useLeaving(form, onClose)
  return (
    <Modal
      open
      afterOpenChange={(isOpen) => isOpen && document.getElementById(inputId(form.id, 'quantity'))?.focus()}
      title={say(words.title)}
      width={560}
      onCancel={leave}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {say(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" loading={isSending} onClick={() => void go()}>
          {say(words.go)}
        </Button>,
      ]}
    >
      <p className="kit-ask">
        {String(good.name)}{' '}
        <span className="kit-quiet">
          {String(good.shopName ?? '')} · {say(words.now, { stock })}
          {count > 0 && ` → ${say(words.after, { stock: stock + count })}`}
        </span>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <EditForm form={form} />
        <button type="submit" hidden />
      </form>
      {question}
    </Modal>
  )
}

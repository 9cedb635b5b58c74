import type { WireRow } from '#kit/resource/index.ts'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { apiPost, type ApiError } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'
import { priceTag } from './price-tag.resource.ts'
import './tags.css'

type Good = WireRow<typeof goodInfo>

export const BIND_TAG_LABEL: LocalizedText = { zh: '绑定价签', en: 'Link tag' }

const words = {
  tagNo: { zh: '价签编号（可扫码）', en: 'Tag number (scan or enter)' },
  which: { zh: '显示哪个商品', en: 'Product to show' },
  bound: { zh: '价签 {tagId} 已绑定，等待更新', en: 'Tag {tagId} is linked and waiting for its update' },
}

/** Dialog that binds goods to an existing or new tag. */
export function BindDialog({ good, onClose }: { good?: Good; onClose: () => void }) {
  const t = useLocalize()
  const { tagId, setTagId, shopId, setShop, chosen, setChosen, isSending, send } = useBinding(good, onClose)
  const isReady = !!tagId && !!chosen

  return (
    <Modal
      open
      title={t(BIND_TAG_LABEL)}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" loading={isSending} disabled={!isReady} onClick={() => void send()}>
          {t(BIND_TAG_LABEL)}
        </Button>,
      ]}
    >
      <form
        className="goods-bind"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {good ? (
          <p className="kit-ask">
            {String(good.name)}{' '}
            <span className="kit-quiet">
              {String(good.upc)} · {String(good.shopName)}
            </span>
          </p>
        ) : (
          <GoodsChoice shopId={shopId} onShop={setShop} goodId={chosen?.id} onGood={setChosen} />
        )}
        <label htmlFor="bind-tag">{t(words.tagNo)}</label>
        <Input
          id="bind-tag"
          autoFocus
          value={tagId}
          maxLength={32}
          onChange={(event) => setTagId(event.target.value.trim())}
        />
        <button type="submit" hidden />
      </form>
    </Modal>
  )
}

type Chosen = { id: string; upc: string }

function useBinding(good: Good | undefined, onDone: () => void) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const [tagId, setTagId] = useState('')
  const [chosen, setChosen] = useState<Chosen | undefined>(good && { id: String(good.id), upc: String(good.upc) })
  const [shopId, setShopId] = useState(good ? String(good.shopId) : '')
  const [isSending, setSending] = useState(false)
  const send = async () => {
    if (!tagId || !chosen) return
    setSending(true)
    try {
      await apiPost(
        `${priceTag.path}/updateUpcTag`,
        { body: { tagId, upc: chosen.upc, shopId: shopId || undefined } },
        { quiet: true },
      )
      toast.success(t(words.bound, { tagId }))
      await renew(priceTag)
      onDone()
    } catch (reason) {
      toast.error((reason as ApiError).message)
    } finally {
      setSending(false)
    }
  }
  const setShop = (next: string) => {
    setShopId(next)
    setChosen(undefined)
  }
  return { tagId, setTagId, shopId, setShop, chosen, setChosen, isSending, send }
}

type GoodsProps = {
  shopId: string
  onShop: (shopId: string) => void
  goodId: string | undefined
  onGood: (chosen: Chosen | undefined) => void
}

function GoodsChoice({ shopId, onShop, goodId, onGood }: GoodsProps) {
  const t = useLocalize()
  return (
    <>
      <label htmlFor="bind-shop">{t(goodInfo.fields.shopId.label)}</label>
      <RowPicker id="bind-shop" to="basicShopInfo" value={shopId} onChange={onShop} />
      <label htmlFor="bind-good">{t(words.which)}</label>
      <RowPicker
        id="bind-good"
        to="goodInfo"
        value={goodId ?? ''}
        disabled={!shopId}
        filter={{ shopId }}
        onChange={(id, [option]) => onGood(id ? { id, upc: option?.code ?? '' } : undefined)}
      />
    </>
  )
}

import { Button } from 'antd'
import { Link, useNavigate } from 'react-router'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { apiPost } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { useFormSubmit } from '#kit/web/form/use-send.ts'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { useRowOptions } from '#kit/web/inputs/use-options.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { STOCKTAKE_STATE } from './dictionaries.ts'
import { stocktake } from './stocktake.resource.ts'

const words = {
  title: { zh: '盘点', en: 'Count' },
  running: { zh: '正在进行，点开就能一起盘', en: 'In progress. Open one to count together.' },
  none: { zh: '没有正在进行的盘点', en: 'No inventory counts in progress' },
  counted: { zh: '已盘 {counted} 种', en: '{counted} {counted|product|products} counted' },
  fresh: { zh: '开始新的盘点', en: 'Start new count' },
  go: { zh: '开始盘点', en: 'Start count' },
}

const { shopId, scope, goodTypeId, shelfNo, rule, remark } = stocktake.fields
const fields = { shopId, scope, goodTypeId, shelfNo, rule, remark }
const layout: FormLayoutOf<typeof stocktake> = [
  { fields: ['shopId', 'scope'] },
  { fields: ['goodTypeId'], when: (values) => values.scope === 'type' },
  { fields: ['shelfNo'], when: (values) => values.scope === 'shelf' },
  { fields: ['rule', 'remark'] },
]

/** Start page of a stocktake: joins one that is under way, or begins a new one. */
export default function StartStocktakePanel() {
  const t = useLocalize()
  const may = useResourcePermissions(stocktake)
  useTabTitle(t(words.title))
  const { rows, isPending } = useResourceList(stocktake, {
    inAddress: false,
    fixed: { status: STOCKTAKE_STATE.counting, size: 20 },
  })
  const { data: shops } = useRowOptions('basicShopInfo', '', undefined, true)
  return (
    <div className="kit-page count-page">
      <section className="goods-card goods-part">
        <h3>
          {t(words.title)}
          <span className="kit-quiet">{rows.length > 0 ? t(words.running) : !isPending && t(words.none)}</span>
        </h3>
        <ul className="kit-rows">
          {rows.map((take) => (
            <li key={String(take.id)}>
              <Link className="count-row" to={`/goods/count/${String(take.id)}`}>
                {String(take.shopName)}
                <small>
                  {[take.scopeName, take.goodTypeName, take.shelfNo].filter(Boolean).join(' ')} ·{' '}
                  <RelativeTime at={String(take.createTime)} />
                </small>
              </Link>
              <span>{t(words.counted, { counted: take.counted })}</span>
            </li>
          ))}
        </ul>
      </section>
      {may.add && shops && <Fresh shopId={shops.length === 1 ? shops[0]!.id : ''} />}
    </div>
  )
}

function Fresh({ shopId }: { shopId: string }) {
  const t = useLocalize()
  const go = useNavigate()
  const renew = useInvalidateResource()
  const form = useForm({ fields, mode: 'add', preset: { shopId }, layout })
  const { send, isSending } = useFormSubmit(form, async () => {
    const { id } = await apiPost<{ id: string }>(`${stocktake.path}/submit`, { body: form.payload() }, { quiet: true })
    void renew(stocktake)
    void go(`/goods/count/${id}`)
  })
  return (
    <section className="goods-card">
      <h3 className="count-fresh">{t(words.fresh)}</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <EditForm form={form} layout={layout} />
        <Button type="primary" size="large" block htmlType="submit" loading={isSending} icon={<Icon name="audit" />}>
          {t(words.go)}
        </Button>
      </form>
    </section>
  )
}

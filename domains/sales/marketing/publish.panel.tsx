import type { WireRow } from '#kit/resource/index.ts'
import { Alert, Button, Modal } from 'antd'
import { useState } from 'react'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizeFunction } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'
import { useRowDetail, useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { discountConf } from './discount-conf.resource.ts'
import { noSimulationEffectText, type CampaignSimulationWire } from './campaign-simulation.panel.tsx'
import { shopMarkting } from './shop-markting.resource.ts'
import './marketing.css'

type Row = WireRow<typeof discountConf>

const words = {
  title: { zh: '发布“{name}”', en: 'Publish “{name}”' },
  will: { zh: '发布后会这样', en: 'After publishing' },
  gives: { zh: '顾客在 {where} 买 {what}：{promise}', en: 'Customers who buy {what} in {where}: {promise}' },
  allShops: { zh: '全部门店', en: 'all stores' },
  allGoods: { zh: '全部商品', en: 'all products' },
  members: { zh: '只有会员享受', en: 'Members only' },
  time: { zh: '{start} 开始，{end} 自动结束', en: 'Starts {start}, ends automatically {end}' },
  budget: { zh: '优惠总额到 ¥{budget} 自动停止优惠', en: 'Discounts stop automatically at a total of ¥{budget}' },
  perUser: {
    zh: '每位顾客最多 {times} 次，未识别的顾客不享受',
    en: 'Up to {times} {times|time|times} per customer. Unidentified customers are excluded.',
  },
  frozen: {
    zh: '内容从此不能再改，只能停止；要调整请复制成新草稿',
    en: 'It can no longer be changed, only stopped. Copy it to a new draft to make changes.',
  },
  rehearsed: {
    zh: '试算：近 30 天会让利 ¥{cost}，{lines} 行低于成本',
    en: 'Simulation: ¥{cost} in discounts over 30 days, {lines} {lines|line|lines} below cost',
  },
  notRehearsed: {
    zh: '还没有试算过，建议先看看毛利再发布。',
    en: 'Not simulated yet. Check the margin before publishing.',
  },
  go: { zh: '发布', en: 'Publish' },
  done: { zh: '活动已发布', en: 'Promotion published' },
} satisfies Record<string, LocalizedText>

const names = (lang: string, ...lists: unknown[]) =>
  lists
    .filter(Boolean)
    .flatMap((list) => String(list).split(/,\s*/))
    .join(lang === 'zh' ? '、' : ', ')

/** Says what publishing does before it is done. */
export default function PublishDialog({ campaign, onClose }: { campaign: Row; onClose: () => void }) {
  const t = useLocalize()
  const lang = useLanguage()
  const renew = useInvalidateResource()
  const { data } = useRowDetail(discountConf, String(campaign.id))
  const row = data ?? campaign
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState('')
  const go = async () => {
    setSending(true)
    try {
      await apiPost(`${discountConf.path}/public`, { query: { id: String(row.id) } }, { quiet: true })
      toast.success(t(words.done))
      await Promise.all([discountConf, shopMarkting].map(renew))
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
      setSending(false)
    }
  }

  return (
    <Modal
      open
      title={t(words.title, { name: row.name })}
      width={560}
      onCancel={onClose}
      footer={[
        <Button key="no" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" loading={isSending} onClick={() => void go()}>
          {t(words.go)}
        </Button>,
      ]}
    >
      <h4>{t(words.will)}</h4>
      <ul className="campaign-will">
        {promisesOf(row, t, lang).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <SimulationNotice found={row.rehearsal as Partial<CampaignSimulationWire> | undefined} />
      {problem && <Alert type="error" showIcon title={problem} />}
    </Modal>
  )
}

/** Everything that follows from publishing, one sentence each. */
function promisesOf(row: Row, t: LocalizeFunction, lang: string): string[] {
  const what = names(lang, row.goodTypeNames, row.goodNames) || t(words.allGoods)
  return [
    t(words.gives, { where: names(lang, row.shopNames) || t(words.allShops), what, promise: row.promise }),
    ...(row.membersOnly === true ? [t(words.members)] : []),
    t(words.time, { start: String(row.startTime).slice(0, 16), end: String(row.endTime).slice(0, 16) }),
    ...(Number(row.budget) > 0 ? [t(words.budget, { budget: row.budget })] : []),
    ...(Number(row.perUser) > 0 ? [t(words.perUser, { times: row.perUser })] : []),
    t(words.frozen),
  ]
}

function SimulationNotice({ found }: { found: Partial<CampaignSimulationWire> | undefined }) {
  const t = useLocalize()
  if (found?.state !== 'done') return <Alert type="warning" showIcon title={t(words.notRehearsed)} />
  if (!found.hitOrders) return <Alert type="warning" showIcon title={t(noSimulationEffectText)} />
  const lines = found.belowCost?.lines ?? 0
  return <Alert type={lines ? 'warning' : 'info'} showIcon title={t(words.rehearsed, { cost: found.cost, lines })} />
}

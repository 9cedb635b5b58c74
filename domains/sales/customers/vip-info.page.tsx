import { Segmented } from 'antd'
import { useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { vipInfo } from './vip-info.resource.ts'

const words = {
  intro: {
    zh: '谁在什么时间享受哪个等级；等级随时间自动生效和到期',
    en: 'Who holds which tier and when. Tiers start and expire automatically.',
  },
  show: { zh: '显示', en: 'Show' },
  all: { zh: '全部', en: 'All' },
  running: { zh: '生效中', en: 'Active' },
  ending: { zh: '30 天内到期', en: 'Expiring within 30 days' },
  over: { zh: '已结束', en: 'Ended' },
}

const views = ['all', 'running', 'ending', 'over'] as const

/** Memberships, by whether they run, end soon or are over. */
export default function VipInfoPage() {
  const t = useLocalize()
  const [view, setView] = useState<(typeof views)[number]>('all')
  return (
    <ResourcePage
      resource={vipInfo}
      page={{
        intro: words.intro,
        isNarrowed: view !== 'all',
        fixed: view === 'all' ? undefined : { standing: view },
        head: () => (
          <div style={{ marginBottom: 12, overflowX: 'auto' }}>
            <Segmented
              value={view}
              onChange={setView}
              options={views.map((value) => ({ value, label: t(words[value]) }))}
              aria-label={t(words.show)}
            />
          </div>
        ),
      }}
    />
  )
}

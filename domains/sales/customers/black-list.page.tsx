import { Segmented } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useUrlFlag } from '#kit/web/live/use-query-flag.ts'
import { blackList } from './black-list.resource.ts'

const words = {
  intro: {
    zh: '名单内的人进不了门；到结束时间自动解除，也可以提前解除',
    en: 'Customers on this list cannot enter. Entries expire automatically or can be lifted early.',
  },
  show: { zh: '显示', en: 'Show' },
  all: { zh: '全部', en: 'All' },
  running: { zh: '生效中', en: 'Active' },
}

export default function BlackListPage() {
  const t = useLocalize()
  const [isRunning, setRunning] = useUrlFlag('isRunning')
  return (
    <ResourcePage
      resource={blackList}
      page={{
        intro: words.intro,
        isNarrowed: isRunning,
        fixed: isRunning ? { standing: 'running' } : undefined,
        transformActions: (rowActions, row) =>
          rowActions.filter((action) => action.key !== 'lift' || row.state !== 'over'),
        head: () => (
          <div style={{ marginBottom: 12 }}>
            <Segmented
              value={isRunning ? 'running' : 'all'}
              onChange={(next) => setRunning(next === 'running')}
              options={(['all', 'running'] as const).map((value) => ({ value, label: t(words[value]) }))}
              aria-label={t(words.show)}
            />
          </div>
        ),
      }}
    />
  )
}

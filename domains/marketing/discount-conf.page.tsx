import { Progress, Segmented } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useCan } from '#kit/web/session/can.ts'
import type { LayoutOf } from '#kit/web/page-parts.ts'
import type { Row } from '#kit/web/form/form-values.ts'
import { useSay } from '#kit/web/language.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import type { Deed } from '#kit/web/list/row-buttons.tsx'
import { usePathOf } from '#kit/web/list/row-link.tsx'
import { callAction, useActionRunner } from '#kit/web/form/run-action.ts'
import type { CheckedField } from '#kit/web/form/use-form.ts'
import type { List } from '#kit/web/list/use-list.ts'
import { namesGoods, read, RulesInput, TypeInput } from './campaign-inputs.panel.tsx'
import { readRules } from './campaign-rules.ts'
import { CAMPAIGN } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'
import { GoodsInput } from './goods-choice.tsx'
import './marketing.css'

const PublishDialog = lazy(() => import('./publish.panel.tsx'))
const RehearsalPanel = lazy(() => import('./rehearsal.panel.tsx'))

const words = {
  rehearsing: { zh: '已开始试算', en: 'Rehearsing' },
  intro: {
    zh: '满减、折扣、特价、第二件半价、组合价；先试算再发布，发布后自动开始和结束',
    en: 'Campaigns: rehearse, publish, and they begin and end by themselves',
  },
  all: { zh: '全部', en: 'All' },
  show: { zh: '状态', en: 'State' },
  states: [
    { zh: '草稿', en: 'Drafts' },
    { zh: '已发布', en: 'Published' },
    { zh: '已结束', en: 'Ended' },
    { zh: '已停止', en: 'Stopped' },
  ],
  results: { zh: '各店结果', en: 'By shop' },
  publish: { zh: '发布', en: 'Publish' },
  ofBudget: { zh: '预算 ¥{budget}', en: 'of ¥{budget}' },
}

/** What a draft waits for stands first. */
const ORDER = ['edit', 'try', 'publish']

function UsedCell({ row }: CellProps) {
  const say = useSay()
  const [used, budget] = [Number(row.usedAmount ?? 0), Number(row.budget ?? -1)]
  if (budget <= 0) return <span className="kit-number">¥{used.toFixed(2)}</span>
  return (
    <span className="campaign-used" data-tip={say(words.ofBudget, { budget: row.budget })}>
      <span className="kit-number">¥{used.toFixed(2)}</span>
      <Progress
        percent={Math.min(100, Math.round((used / budget) * 100))}
        size="small"
        showInfo={false}
        aria-label={say(words.ofBudget, { budget: row.budget })}
      />
    </span>
  )
}

const cells = {
  usedAmount: (props: CellProps) => <UsedCell {...props} />,
  rules: ({ row }: CellProps) => <strong>{String(row.promise ?? '')}</strong>,
}
const inputs = { type: TypeInput, rules: RulesInput, goodIds: GoodsInput }
// The editor of the rules says itself what they mean; their shape on the wire is for programs.
const shown = {
  ...discountConf,
  fields: {
    ...discountConf.fields,
    type: { ...discountConf.fields.type, wide: true },
    rules: { ...discountConf.fields.rules, help: undefined },
  },
}

const { name, startTime, stackable } = discountConf.fields
// A set of named goods says itself what it is about.
const isAboutScope = (values: Row) => values.type !== 'bundle' || !namesGoods(read(values.rules))
const layout: LayoutOf<typeof shown> = [
  { title: name.group, fields: ['name', 'type', 'rules'] },
  { title: startTime.group, fields: ['startTime', 'endTime', 'shopIds', 'membersOnly'] },
  { fields: ['goodIds', 'goodTypeIds'], when: isAboutScope },
  { title: stackable.group, fields: ['budget', 'perUser', 'stackable', 'priority', 'withVip', 'withTicket'] },
]

/** Campaigns with an editor that says in a sentence what they do. */
export default function DiscountConfPage() {
  const say = useSay()
  const navigate = useNavigate()
  const results = usePathOf('shopMarkting')
  const mayPublish = useCan('discountConf_public')
  const mayRehearse = useCan('discountConf_rehearse')
  const { run } = useActionRunner(discountConf)
  const [state, setState] = useState('all')
  const [publishing, setPublishing] = useState<Row>()
  const resource = useMemo(() => {
    const check: CheckedField['check'] = (value, values) => {
      const found = readRules(String(values.type ?? ''), read(value))
      const [first] = 'rule' in found ? [] : found.problems
      return first && { ...first.problem, params: { ...first.problem.params, label: say(first.label) } }
    }
    return { ...shown, fields: { ...shown.fields, rules: { ...shown.fields.rules, check } } }
  }, [say])
  const isDraft = (row: Row) => Number(row.status) === CAMPAIGN.draft
  // What a rehearsal finds stands beside the facts: asking for it opens them.
  const rehearse = async (row: Row, list: Pick<List, 'set'>) => {
    const done = await run(
      () => callAction(discountConf, 'rehearse', discountConf.actions.rehearse, { id: String(row.id) }),
      words.rehearsing,
    ).catch(() => false)
    if (done) list.set((before) => ({ ...before, detail: String(row.id) }))
  }
  const deeds = (row: Row, list: Pick<List, 'set'>): Deed[] => [
    ...(mayRehearse && isDraft(row)
      ? [
          {
            key: 'try',
            label: discountConf.actions.rehearse.label,
            icon: discountConf.actions.rehearse.icon,
            run: () => void rehearse(row, list),
          },
        ]
      : []),
    ...(mayPublish && isDraft(row)
      ? [{ key: 'publish', label: words.publish, icon: 'rocket', run: () => setPublishing(row) }]
      : []),
    ...(results && !isDraft(row)
      ? [
          {
            key: 'results',
            label: words.results,
            icon: 'bar-chart',
            run: () => void navigate(`${results}?discountConfId=${String(row.id)}`),
          },
        ]
      : []),
  ]
  // Publishing says first what it does; what is published is neither edited, rehearsed nor removed.
  const rank = (key: string) => ORDER.indexOf(key) + 1 || ORDER.length + 1
  const tame = (list: Deed[], row: Row) =>
    list
      .filter(
        ({ key }) =>
          key !== 'public' && key !== 'rehearse' && (isDraft(row) || !['edit', 'delete', 'remove'].includes(key)),
      )
      .toSorted((a, b) => rank(a.key) - rank(b.key))
  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          cells,
          inputs,
          formLayout: layout,
          deeds,
          tame,
          formWidth: 880,
          fixed: state === 'all' ? undefined : { status: state },
          isNarrowed: state !== 'all',
          preset: () => ({ type: 'fullReduction' }),
          head: () => (
            <div className="marketing-tabs">
              <Segmented
                value={state}
                onChange={setState}
                aria-label={say(words.show)}
                options={[
                  { value: 'all', label: say(words.all) },
                  ...words.states.map((one, at) => ({ value: String(at), label: say(one) })),
                ]}
              />
            </div>
          ),
          beside: (row) => (
            <Suspense fallback={<span className="kit-skeleton" />}>
              <RehearsalPanel campaign={row} />
            </Suspense>
          ),
        }}
      />
      <Suspense>
        {publishing && <PublishDialog campaign={publishing} onClose={() => setPublishing(undefined)} />}
      </Suspense>
    </>
  )
}

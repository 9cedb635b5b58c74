import type { WireRow } from '#kit/resource/index.ts'
import { Progress, Segmented } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { FieldWithCheck } from '#kit/web/form/use-form.ts'
import { isBundleOfNamedGoods } from './campaign-amount.tsx'
import { parseRulesJson, RulesInput, TypeInput } from './campaign-inputs.panel.tsx'
import { validateCampaignRule } from './campaign-rules.ts'
import { discountConf } from './discount-conf.resource.ts'
import { EligibleGoodsInput } from './goods-choice.tsx'
import { arrangeCampaignActions, useCampaignActions } from './use-campaign-actions.ts'
import './marketing.css'

type Row = WireRow<typeof discountConf>

const PublishDialog = lazy(() => import('./publish.panel.tsx'))
const SimulationPanel = lazy(() => import('./campaign-simulation.panel.tsx'))

const words = {
  intro: {
    zh: '满减、折扣、特价、第二件半价、组合价；先试算再发布，发布后自动开始和结束',
    en:
      'Spend-and-save, discounts, fixed prices, second at half price and bundles. Simulate, then ' +
      'publish. They start and end automatically.',
  },
  all: { zh: '全部', en: 'All' },
  show: { zh: '状态', en: 'Status' },
  states: [
    { zh: '草稿', en: 'Drafts' },
    { zh: '已发布', en: 'Published' },
    { zh: '已结束', en: 'Ended' },
    { zh: '已停止', en: 'Stopped' },
  ],
  ofBudget: { zh: '预算 ¥{budget}', en: 'of ¥{budget} budget' },
}

function UsedCell({ row }: CellProps<Row>) {
  const t = useLocalize()
  const [used, budget] = [Number(row.usedAmount ?? 0), Number(row.budget ?? -1)]
  if (budget <= 0) return <span className="kit-number">¥{used.toFixed(2)}</span>
  return (
    <span className="campaign-used" data-tip={t(words.ofBudget, { budget: row.budget })}>
      <span className="kit-number">¥{used.toFixed(2)}</span>
      <Progress
        percent={Math.min(100, Math.round((used / budget) * 100))}
        size="small"
        showInfo={false}
        aria-label={t(words.ofBudget, { budget: row.budget })}
      />
    </span>
  )
}

const cells = {
  usedAmount: (props: CellProps<Row>) => <UsedCell {...props} />,
  rules: ({ row }: CellProps<Row>) => <strong>{String(row.promise ?? '')}</strong>,
}
const inputs = { type: TypeInput, rules: RulesInput, goodIds: EligibleGoodsInput }
// The editor explains the rules; the help of the field describes their JSON and is for API clients.
const shown = {
  ...discountConf,
  fields: {
    ...discountConf.fields,
    type: { ...discountConf.fields.type, wide: true },
    rules: { ...discountConf.fields.rules, help: undefined },
  },
}

const { name, startTime, stackable } = discountConf.fields
// The products of a bundle are its scope.
const isAboutScope = (values: { type?: unknown; rules?: unknown }) =>
  values.type !== 'bundle' || !isBundleOfNamedGoods(parseRulesJson(values.rules))
const layout: FormLayoutOf<typeof shown> = [
  { title: name.group, fields: ['name', 'type', 'rules'] },
  { title: startTime.group, fields: ['startTime', 'endTime', 'shopIds', 'membersOnly'] },
  { fields: ['goodIds', 'goodTypeIds'], when: isAboutScope },
  {
    title: stackable.group,
    fields: ['budget', 'perUser', 'stackable', 'priority', 'withVip', 'withTicket', 'waitsForTags'],
  },
]

/** Campaigns with an editor that says in a sentence what they do. */
export default function DiscountConfPage() {
  const [state, setState] = useState('all')
  const [publishing, setPublishing] = useState<Row>()
  const rowActions = useCampaignActions(setPublishing)
  const resource = useChecked()
  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          cells,
          inputs,
          formLayout: layout,
          rowActions,
          transformActions: arrangeCampaignActions,
          formWidth: 880,
          fixed: state === 'all' ? undefined : { status: state },
          isNarrowed: state !== 'all',
          preset: () => ({ type: 'fullReduction' }),
          head: () => <States value={state} onChange={setState} />,
          beside: (row) => (
            <Suspense fallback={<span className="kit-skeleton" />}>
              <SimulationPanel campaign={row} />
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

/** The resource with a check of the rule while it is typed, the same as on the server. */
function useChecked() {
  const t = useLocalize()
  return useMemo(() => {
    const check: FieldWithCheck['check'] = (value, values) => {
      const found = validateCampaignRule(String(values.type ?? ''), parseRulesJson(value))
      const [first] = 'rule' in found ? [] : found.problems
      return first && { ...first.problem, params: { ...first.problem.params, label: t(first.label) } }
    }
    return { ...shown, fields: { ...shown.fields, rules: { ...shown.fields.rules, check } } }
  }, [t])
}

function States({ value, onChange }: { value: string; onChange: (state: string) => void }) {
  const t = useLocalize()
  return (
    <div className="marketing-tabs">
      <Segmented
        value={value}
        onChange={onChange}
        aria-label={t(words.show)}
        options={[
          { value: 'all', label: t(words.all) },
          ...words.states.map((one, at) => ({ value: String(at), label: t(one) })),
        ]}
      />
    </div>
  )
}

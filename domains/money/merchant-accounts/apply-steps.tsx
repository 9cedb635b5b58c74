import { useQuery } from '@tanstack/react-query'
import type { WireRow } from '#kit/resource/index.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { shanghaiDayOf } from '#kit/web/parts/when-words.ts'
import {
  applyFaults,
  APPLY_STEPS,
  missingApplyFields,
  applyStepOfField,
  type ApplyFault,
  type ApplyValues,
} from './apply-faults.ts'
import { payApply } from './pay-apply.resource.ts'
import './merchants.css'

const words = {
  steps: { zh: '填写步骤', en: 'Steps' },
  missing: { zh: '缺 {count} 项', en: '{count} missing' },
  wrong: { zh: '{count} 处有误', en: '{count} {count|error|errors}' },
  done: { zh: '已齐', en: 'Complete' },
} satisfies Record<string, LocalizedText>

/** Missing fields and faults, of one step or of the whole application. */
type Left = { missing: ReturnType<typeof missingApplyFields>; faults: readonly ApplyFault[] }

/** Returns the missing fields and faults of all steps, as far as the browser can see them. */
export function findApplyIssues(values: ApplyValues): Left {
  return { missing: missingApplyFields(values), faults: applyFaults(values, shanghaiDayOf()) }
}

type Checked = { missing: Left['missing']; faults: { field: ApplyFault['field']; sentence: string }[] }

/**
 * Loads the issues of a saved application from the server, which also reads the encrypted numbers; shows the browser's
 * own findings until the answer arrives.
 */
export function useApplyIssues(row: WireRow<typeof payApply>, isOpen: boolean): Left {
  const { data } = useQuery({
    queryKey: ['detail', payApply.name, 'check', row.id, row.version],
    queryFn: () => apiGet<Checked>(`${payApply.path}/check`, { id: row.id }, { quiet: true }),
    enabled: isOpen,
  })
  if (!data) return findApplyIssues(row)
  const faults = data.faults.map(({ field, sentence }) => ({ field, words: { zh: sentence, en: sentence } }))
  return { missing: data.missing, faults }
}

export const applyIssuesAtStep = ({ missing, faults }: Left, step: number): Left => ({
  missing: missing.filter((key) => applyStepOfField(key) === step),
  faults: faults.filter(({ field }) => applyStepOfField(field) === step),
})

/** Navigation over the seven steps with the number of issues of each. */
export function ApplySteps({ step, left, onGo }: { step: number; left: Left; onGo: (step: number) => void }) {
  const t = useLocalize()
  const last = APPLY_STEPS.length - 1
  return (
    <nav aria-label={t(words.steps)}>
      <ol className="merchant-steps">
        {APPLY_STEPS.map(({ title }, at) => {
          const { missing, faults } = at === last ? left : applyIssuesAtStep(left, at)
          return (
            <li key={title.zh}>
              <button
                type="button"
                className={faults.length ? 'merchant-step merchant-step-bad' : 'merchant-step'}
                aria-current={at === step ? 'step' : undefined}
                onClick={() => onGo(at)}
                ref={(button) => {
                  if (at === step) button?.scrollIntoView({ block: 'nearest', inline: 'center' })
                }}
              >
                <strong>
                  {at + 1} {t(title)}
                </strong>
                <span>
                  {faults.length > 0
                    ? t(words.wrong, { count: faults.length })
                    : missing.length > 0
                      ? t(words.missing, { count: missing.length })
                      : t(words.done)}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

const reviewWords = {
  whole: { zh: '资料已齐全，未发现问题', en: 'The application is complete and no problems were found' },
  lacks: { zh: '还缺', en: 'Missing' },
} satisfies Record<string, LocalizedText>

/** List of all issues by step; each one is a link to its input. */
export function ApplyReview({ left, onGo }: { left: Left; onGo: (field: string) => void }) {
  const t = useLocalize()
  if (!left.missing.length && !left.faults.length)
    return (
      <p className="merchant-good" role="status">
        {t(reviewWords.whole)}
      </p>
    )
  return (
    <div className="merchant-review">
      {APPLY_STEPS.map(({ title }, at) => ({ title, ...applyIssuesAtStep(left, at) }))
        .filter(({ missing, faults }) => missing.length + faults.length > 0)
        .map(({ title, missing, faults }) => (
          <section key={title.zh}>
            <h3>{t(title)}</h3>
            <ul>
              {faults.map(({ field, words: sentence }) => (
                <li key={field}>
                  <button type="button" className="kit-link" onClick={() => onGo(field)}>
                    {t(payApply.fields[field].label)}
                  </button>
                  <span className="kit-bad">{t(sentence)}</span>
                </li>
              ))}
              {missing.map((field) => (
                <li key={field}>
                  <button type="button" className="kit-link" onClick={() => onGo(field)}>
                    {t(payApply.fields[field].label)}
                  </button>
                  <span className="kit-quiet">{t(reviewWords.lacks)}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </div>
  )
}

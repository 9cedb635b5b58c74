import { Button, Progress } from 'antd'
import { useQuery } from '@tanstack/react-query'
import type { WireRow } from '#kit/resource/index.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { aiFinding } from './ai-finding.resource.ts'
import { aiTaskLog } from './ai-task.resource.ts'
import { BoxedPicture } from './boxed-picture.tsx'
import { changedTopicOf } from '#kit/resource/index.ts'
import './ai.css'

const words = {
  progress: { zh: '进度', en: 'Progress' },
  at: { zh: '已完成 {steps} 步，正在：{step}', en: '{steps} {steps|step|steps} completed, current step: {step}' },
  waits: { zh: '等待开始', en: 'Waiting to start' },
  said: { zh: '模型输出', en: 'Model output' },
  findings: { zh: '发现', en: 'Detections' },
  none: { zh: '没有发现', en: 'No detections' },
  again: {
    zh: '没有新的发现：后来的运行又看到了，记在“AI 发现”里',
    en: 'No new detections. Later runs saw them again. See “AI detections”.',
  },
  sure: { zh: '把握 {sure}%', en: '{sure}% confidence' },
  right: { zh: '正确', en: 'Confirmed' },
  wrong: { zh: '误报', en: 'False alarm' },
}

type Run = WireRow<typeof aiTaskLog>
type Finding = WireRow<typeof aiFinding>

const ACTIVE_STATES = ['queued', 'running', 'stopping']
/** Assumed number of steps for the progress bar, as the real number is unknown before the end. */
const STEPS_USUAL = 5

function RunProgress({ run }: { run: Run }) {
  const t = useLocalize()
  if (!ACTIVE_STATES.includes(String(run.status))) return null
  const steps = Math.max(0, Number(run.steps))
  return (
    <section aria-live="polite">
      <h3>{t(words.progress)}</h3>
      <Progress
        percent={Math.min(90, Math.round((steps / STEPS_USUAL) * 100))}
        status="active"
        showInfo={false}
        size="small"
        aria-label={t(words.progress)}
      />
      <p className="kit-quiet">{run.step ? t(words.at, { steps, step: run.step }) : t(words.waits)}</p>
    </section>
  )
}

function FindingLine({ finding, index, onJudged }: { finding: Finding; index: number; onJudged: () => void }) {
  const t = useLocalize()
  const may = useResourcePermissions(aiFinding)
  const renew = useInvalidateResource()
  const judge = async (verdict: 'right' | 'wrong') => {
    await apiPost(`${aiFinding.path}/${verdict}`, { query: { id: finding.id } })
    void renew(aiFinding)
    onJudged()
  }
  return (
    <li>
      <b>{index + 1}</b>
      <div>
        <DictTag code="ai_finding" value={finding.type} /> {finding.said}{' '}
        <span className="kit-quiet">{t(words.sure, { sure: Math.round(Number(finding.confidence)) })}</span>
        {finding.advice && <p className="kit-quiet">{finding.advice}</p>}
        <div className="ai-verdict">
          <DictTag code="ai_verdict" value={finding.verdict} />
          {may.act('right') && finding.verdict !== 'right' && (
            <Button size="small" onClick={() => void judge('right')}>
              {t(words.right)}
            </Button>
          )}
          {may.act('wrong') && finding.verdict !== 'wrong' && (
            <Button size="small" onClick={() => void judge('wrong')}>
              {t(words.wrong)}
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

/** Live panel of a run: progress, the model's text, and its findings drawn on the picture. */
export function AiRunPanel({ row }: { row: Run }) {
  const t = useLocalize()
  const language = useLanguage()
  const { id } = row

  const { data: run = row, refetch } = useQuery({
    queryKey: ['detail', aiTaskLog.name, language, 'panel', id],
    queryFn: () => apiGet<Run>(`${aiTaskLog.path}/detail`, { id }, { quiet: true }),
  })

  const mayList = useResourcePermissions(aiFinding).view
  const found = useQuery({
    queryKey: ['list', aiFinding.name, language, 'of', id],
    queryFn: () => apiGet<{ records: Finding[] }>(`${aiFinding.path}/list`, { logId: id, size: 50, ascs: 'id' }),
    enabled: mayList,
  })
  useLiveRefetch(changedTopicOf('aiTaskLog'), refetch)
  useLiveRefetch(changedTopicOf('aiFinding'), found.refetch)

  const findings = found.data?.records ?? []
  const isOver = !ACTIVE_STATES.includes(String(run.status))

  return (
    <div className="ai-run">
      <RunProgress run={run} />
      {run.picture && (
        <BoxedPicture
          src={String(run.picture)}
          boxes={findings.map(({ id: key, box, said }) => ({ key: String(key), box, label: String(said) }))}
        />
      )}
      {run.said && !isOver && (
        <section>
          <h3>{t(words.said)}</h3>
          <p className="ai-said">{run.said}</p>
        </section>
      )}
      {isOver && mayList && (
        <section>
          <h3>{t(words.findings)}</h3>
          {!findings.length && (
            <p className="kit-quiet">{t(run.level && run.level !== 'ok' ? words.again : words.none)}</p>
          )}
          <ol className="ai-findings">
            {findings.map((finding, index) => (
              <FindingLine
                key={String(finding.id)}
                finding={finding}
                index={index}
                onJudged={() => void found.refetch()}
              />
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}

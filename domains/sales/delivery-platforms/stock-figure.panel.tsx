import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Link } from 'react-router'
import { callApi } from '#kit/web/http/call.ts'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { stockExplanationTexts as words } from './figure-words.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import './parity.css'
import { stockFigureCall } from './stock-figure.calls.ts'

type Figure = CallAnswerOf<typeof stockFigureCall>
type Part = Pick<Figure['promised'][number], 'source' | 'sourceLabel' | 'pieces'>

/**
 * Explains a stock figure: the earlier stock, what came and went, what is promised, and what each platform may sell.
 */
export function StockExplanation({ goodId }: { goodId: string }) {
  const t = useLocalize()
  const lang = useLanguage()
  const path = useResourcePath('storageLog')
  const { data, error, refetch } = useQuery({
    queryKey: ['stockFigure', goodId, lang],
    queryFn: ({ signal }) => callApi(stockFigureCall, { goodId }, { quiet: true, signal }),
  })
  useLiveRefetch(changedTopicOf('shoppingOrder'), refetch)
  useLiveRefetch(changedTopicOf('goodInfo'), refetch)
  if (error) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} />
  return (
    <div className="stock-figure">
      <Movements figure={data} />
      <ReservedPieces say={words.promised} parts={data.promised} />
      <ReservedPieces say={words.wanted} parts={data.wanted} />
      {data.channels.length > 0 && <Channels figure={data} />}
      {path && <Link to={`${path}?goodId=${goodId}`}>{t(words.movements)}</Link>}
    </div>
  )
}

const signed = (pieces: number) => (pieces > 0 ? `+${pieces}` : `−${-pieces}`)

function Movements({ figure: { since, before, moved, stock } }: { figure: Figure }) {
  const t = useLocalize()
  return (
    <table>
      <tbody>
        <tr>
          <th scope="row">{t(words.before, { since })}</th>
          <td className="kit-number">{before}</td>
        </tr>
        {moved.map(({ type, source, pieces, times, typeLabel, sourceLabel }) => (
          <tr key={`${type} ${source}`}>
            <th scope="row">
              {sourceLabel ? t(words.by, { source: sourceLabel, type: typeLabel }) : typeLabel}{' '}
              <small className="kit-quiet">{t(words.times, { times })}</small>
            </th>
            <td className={`kit-number ${pieces > 0 ? 'kit-yes' : ''}`}>{pieces === 0 ? 0 : signed(pieces)}</td>
          </tr>
        ))}
        <tr className="stock-figure-sum">
          <th scope="row">{t(words.now)}</th>
          <td className="kit-number">{stock}</td>
        </tr>
      </tbody>
    </table>
  )
}

type ReservedPiecesProps = { say: (typeof words)['promised' | 'wanted']; parts: Part[] }

function ReservedPieces({ say: sentence, parts }: ReservedPiecesProps) {
  const t = useLocalize()
  if (!parts.length) return null
  const count = parts.reduce((sum, { pieces }) => sum + pieces, 0)
  const list = parts.map(({ sourceLabel, pieces }) => `${sourceLabel} ${pieces}`).join(t({ zh: '、', en: ', ' }))
  return <p>{t(sentence, { count, list })}</p>
}

function Channels({ figure: { channels, stock } }: { figure: Figure }) {
  const t = useLocalize()
  return (
    <>
      <h4>{t(words.who)}</h4>
      <ul>
        <li>{t(words.inShop, { stock })}</li>
        {channels.map((one) => (
          <li key={one.rowId}>
            {t(words[`on_${one.platform}` as 'on_ele'])}
            {t({ zh: '：', en: ': ' })}
            {t(one.kept ? words.less : words.all, { shop: stock, kept: one.kept, there: one.stock })}{' '}
            <small className={one.isInStep ? 'kit-quiet' : 'parity-why'}>
              {one.isInStep
                ? t(words.confirmed)
                : one.stockThere === ''
                  ? t(words.untold)
                  : t(words.still, { there: one.stockThere })}
            </small>
          </li>
        ))}
      </ul>
      <p className="kit-quiet">{t(words.oneTruth)}</p>
    </>
  )
}

/** On the page of a product, for users who may read the stock ledger. */
export default function StockExplanationPanel({ goodId }: { goodId: string }) {
  const t = useLocalize()
  if (!useResourcePath('storageLog')) return null
  return (
    <section>
      <h3>{t(words.title)}</h3>
      <StockExplanation goodId={goodId} />
    </section>
  )
}

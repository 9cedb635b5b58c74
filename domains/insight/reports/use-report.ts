import { useQuery } from '@tanstack/react-query'
import type { ReportQuery, Resource } from '#kit/resource/index.ts'
import type { ReportResult } from '#kit/resource/answer.ts'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'

/** A resource as its reader may use it in reports: its declaration with only the visible fields. */
export type ReportableResource = { resource: Resource<any, any>; times: string[] }

export function useReportableResources() {
  const { data } = useQuery({
    queryKey: ['report-families'],
    queryFn: () => apiGet<ReportableResource[]>('/api/report/families', undefined, { quiet: true }),
    staleTime: 300_000,
  })
  return data
}

export const isCompleteReportQuery = (question: ReportQuery | undefined): question is ReportQuery =>
  !!question?.family && question.measures.length > 0

/** Loads the result of a query; shows the previous one of the same resource while loading. */
export function useReportResult(question: ReportQuery | undefined) {
  const lang = useLanguage()
  return useQuery({
    queryKey: ['report-answer', lang, question],
    queryFn: () => apiPost<ReportResult>('/api/report/ask', { body: { question } }, { quiet: true }),
    enabled: isCompleteReportQuery(question),
    placeholderData: (before) => (before?.question.family === question?.family ? before : undefined),
    staleTime: 30_000,
    retry: false,
  })
}

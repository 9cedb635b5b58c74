import { useQuery } from '@tanstack/react-query'
import type { ReportQuery, Resource } from '#kit/resource/index.ts'
import type { Answer } from '#kit/resource/answer.ts'
import { get, post } from '#kit/web/http.ts'
import { useLang } from '#kit/web/language.tsx'

/** A family as far as its reader may make reports of it: a declaration with what they see. */
export type Family = { resource: Resource<any, any>; times: string[] }

export function useFamilies() {
  const { data } = useQuery({
    queryKey: ['report-families'],
    queryFn: () => get<Family[]>('/api/report/families', undefined, { quiet: true }),
    staleTime: 300_000,
  })
  return data
}

export const isAskable = (question: ReportQuery | undefined): question is ReportQuery =>
  !!question?.family && question.measures.length > 0

/** The figures of a question; those of before stay while others are on their way. */
export function useAnswer(question: ReportQuery | undefined) {
  const lang = useLang()
  return useQuery({
    queryKey: ['report-answer', lang, question],
    queryFn: () => post<Answer>('/api/report/ask', { body: { question } }, { quiet: true }),
    enabled: isAskable(question),
    placeholderData: (before) => (before?.question.family === question?.family ? before : undefined),
    staleTime: 30_000,
    retry: false,
  })
}

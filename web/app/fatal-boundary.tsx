import { Component, type ErrorInfo, type ReactNode } from 'react'
import { reportCrash } from '#web/lib/requests/crash-report.ts'
import { FatalScreen } from './fatal-screen.tsx'

interface State {
  crash: { error: unknown } | undefined
  reference: string | undefined
}

/** Catches what nothing else caught. A class, because React offers this to classes only. */
export class FatalBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { crash: undefined, reference: undefined }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { crash: { error } }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    void reportCrash(error, componentStack).then((reference) => this.setState({ reference }))
  }

  override render() {
    return this.state.crash ? <FatalScreen reference={this.state.reference} /> : this.props.children
  }
}

declare module 'vader-sentiment' {
  const vader: {
    readonly SentimentIntensityAnalyzer: {
      /** Returns the shares of positive, neutral and negative words, and the compound score from -1 to 1. */
      polarity_scores(text: string): {
        readonly pos: number;
        readonly neu: number;
        readonly neg: number;
        readonly compound: number;
      };
    };
  };
  export default vader;
}

package org.pytorch;

/** Complex numbers as text: {@code 1.0+2.0j}. */
final class ComplexText {
  private ComplexText() {}

  static String of(double real, double imaginary) {
    return join(Double.toString(real), Double.toString(imaginary));
  }

  static String of(float real, float imaginary) {
    return join(Float.toString(real), Float.toString(imaginary));
  }

  private static String join(String real, String imaginary) {
    // A negative number brings its own sign, -0.0 included.
    return real + (imaginary.startsWith("-") ? "" : "+") + imaginary + "j";
  }
}

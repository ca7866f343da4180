# Compiles the Java sources into torch4j.jar and the JNI headers, in one javac run. Text is joined without invokedynamic
# (-XDstringConcat=inline): its first use would cost a cold start tens of milliseconds.
#
# An own command and not UseJava: its generated headers are no declared outputs, so that a changed native
# method would need two builds to reach the C++ side.

set(java_home "$ENV{JAVA_HOME}")
if(NOT java_home)
  find_program(javac_on_path javac)
  if(NOT javac_on_path)
    message(FATAL_ERROR "torch4j needs a JDK 17 or later to build: no javac on PATH and JAVA_HOME is not set.\n"
      "On Debian: apt-get install openjdk-17-jdk-headless")
  endif()
  file(REAL_PATH ${javac_on_path} javac_real)
  cmake_path(GET javac_real PARENT_PATH javac_bin)
  cmake_path(GET javac_bin PARENT_PATH java_home)
endif()
if(NOT EXISTS ${java_home}/include/jni.h)
  message(FATAL_ERROR "JAVA_HOME=${java_home} has no include/jni.h: a JDK is needed, not a JRE")
endif()
message(STATUS "JDK in ${java_home}")

set(java_source_root ${PROJECT_SOURCE_DIR}/java/src/main/java)
file(GLOB_RECURSE java_sources CONFIGURE_DEPENDS ${java_source_root}/*.java)
file(GLOB_RECURSE java22_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/java/src/main/java22/*.java)
# Every class with native methods or @Native constants gives one header.
set(java_native_classes NativeCodes NativeModule NativeTensor NativeTorch)
set(java_headers ${PROJECT_BINARY_DIR}/jni-headers)
set(java_classes ${PROJECT_BINARY_DIR}/classes)
set(TORCH4J_JAR ${PROJECT_BINARY_DIR}/torch4j.jar)
list(TRANSFORM java_native_classes PREPEND ${java_headers}/org_pytorch_ OUTPUT_VARIABLE java_header_files)
list(TRANSFORM java_header_files APPEND .h)

file(CONFIGURE OUTPUT manifest.txt @ONLY CONTENT
"Automatic-Module-Name: org.pytorch
Implementation-Title: torch4j
Implementation-Version: @TORCH4J_VERSION@
Multi-Release: true
")

# What needs a later Java goes into META-INF/versions of the multi-release jar, where a JDK for it is at hand.
set(TORCH4J_JDK22 "" CACHE PATH "a JDK of version 22 or later, for memory segments; looked for when empty")
file(GLOB jdks ${TORCH4J_JDK22} /usr/lib/jvm/*)
set(versioned "")
foreach(jdk ${jdks})
  if(NOT versioned AND EXISTS ${jdk}/bin/javac AND EXISTS ${jdk}/release)
    file(STRINGS ${jdk}/release version_line REGEX "^JAVA_VERSION=" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+" jdk_version "${version_line}")
    if(jdk_version GREATER_EQUAL 22)
      set(versioned COMMAND ${jdk}/bin/javac --release 22 -encoding UTF-8 -Xlint:all,-restricted -Werror
        -cp ${java_classes} -d ${java_classes}/META-INF/versions/22 ${java22_sources})
      message(STATUS "memory segments for Java 22 with JDK ${jdk_version} in ${jdk}")
    endif()
  endif()
endforeach()

add_custom_command(
  OUTPUT ${TORCH4J_JAR} ${java_header_files}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${java_classes}
  COMMAND ${java_home}/bin/javac --release 17 -encoding UTF-8 -Xlint:all -Werror -XDstringConcat=inline
          -h ${java_headers} -d ${java_classes} ${java_sources}
  ${versioned}
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/VERSION ${java_classes}/org/pytorch/torch4j.version
  COMMAND ${java_home}/bin/jar --create --file ${TORCH4J_JAR} --manifest ${PROJECT_BINARY_DIR}/manifest.txt
          -C ${java_classes} .
  DEPENDS ${java_sources} ${java22_sources} ${PROJECT_SOURCE_DIR}/VERSION ${PROJECT_BINARY_DIR}/manifest.txt
  COMMENT "javac and jar: torch4j.jar and the JNI headers"
  VERBATIM)
add_custom_target(torch4j_jar ALL DEPENDS ${TORCH4J_JAR} ${java_header_files})

add_library(jni INTERFACE)
target_include_directories(jni SYSTEM INTERFACE ${java_home}/include ${java_home}/include/linux)
target_include_directories(jni INTERFACE ${java_headers})
